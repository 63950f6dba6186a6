import { z } from "zod";

const absent = z.transform((value: unknown) => value ?? undefined);

/** An optional member whose input may also be null. */
type OptionalMember<T extends z.ZodType> = z.ZodOptional<
  z.ZodType<z.output<T> | undefined, z.input<T> | null | undefined>
>;

/** ProtoJSON: an optional member may be null, which means absent (A2A §5.7). */
export function optional<T extends z.ZodType>(schema: T): OptionalMember<T> {
  // One transform for all: an agent makes hundreds of these whenever it starts.
  return z.pipe(z.nullish(schema) as z.ZodType, absent) as unknown as OptionalMember<T>;
}

export const JsonSchema = z.json();
/** Any JSON object; what is in it belongs to whoever sent it. */
export const JsonObjectSchema = z.record(z.string(), JsonSchema);
export const IsoTimestampSchema = z.iso.datetime({ offset: true });
export const IdSchema = z.string().min(1).max(256);
