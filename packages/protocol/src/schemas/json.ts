import { z } from "zod";

/** ProtoJSON: an optional member may be null, which means absent (A2A §5.7). */
export function optional<T extends z.ZodType>(schema: T) {
  return z
    .union([schema, z.null()])
    .transform((value) => (value === null ? undefined : value) as z.output<T> | undefined)
    .optional();
}

export const JsonSchema = z.json();
/** Any JSON object; what is in it belongs to whoever sent it. */
export const JsonObjectSchema = z.record(z.string(), JsonSchema);
export const IsoTimestampSchema = z.iso.datetime({ offset: true });
export const IdSchema = z.string().min(1).max(256);
