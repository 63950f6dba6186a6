import { z } from "zod";
import { IdSchema, JsonObjectSchema, JsonSchema, optional } from "./json.ts";

const CONTENT = ["text", "raw", "url", "data"] as const;

/** ProtoJSON bytes: standard or URL-safe base64, padded or not, are read; standard with padding is what is kept. */
const Base64Schema = z.string().transform((text, context) => {
  const digits = text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  if (!/^[A-Za-z0-9+/]*$/.test(digits) || digits.length % 4 === 1 || text.length - digits.length > 2) {
    context.addIssue({ code: "custom", message: "not base64" });
    return z.NEVER;
  }
  return digits.padEnd(Math.ceil(digits.length / 4) * 4, "=");
});

/** Other implementations write members that they do not use as empty strings; one of those beside content is nothing. */
function withoutPlaceholders(part: unknown): unknown {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
  const given = CONTENT.filter((key) => Object.hasOwn(part, key));
  const filled = given.filter((key) => {
    const value = (part as Record<string, unknown>)[key];
    return value !== "" && !(value === null && key !== "data");
  });
  const dropped = given.filter((key) => !filled.includes(key));
  if (dropped.length === 0 || filled.length === 0) return part;
  return Object.fromEntries(Object.entries(part).filter(([key]) => !dropped.includes(key as "text")));
}

/** A2A §4.1.6: exactly one of `text`, `raw` (base64), `url`, `data`. */
const OnePartSchema = z
  .object({
    text: z.string().optional(),
    raw: Base64Schema.optional(),
    url: z.string().min(1).optional(),
    data: JsonSchema.optional(),
    mediaType: optional(z.string()),
    filename: optional(z.string()),
    metadata: optional(JsonObjectSchema),
  })
  .refine((part) => CONTENT.filter((key) => part[key] !== undefined).length === 1, {
    message: "a part has exactly one of text, raw, url and data",
  });
// A preprocessed schema forgets what may be written; it is the same as before.
export const PartSchema = z.preprocess(withoutPlaceholders, OnePartSchema) as z.ZodType<
  z.output<typeof OnePartSchema>,
  z.input<typeof OnePartSchema>
>;

export const RoleSchema = z.enum(["ROLE_USER", "ROLE_AGENT"]);

/** A2A §4.1.4. */
export const MessageSchema = z.object({
  messageId: IdSchema,
  contextId: optional(z.string().max(256)),
  taskId: optional(z.string().max(256)),
  role: RoleSchema,
  parts: z.array(PartSchema).min(1, "at least one part is required"),
  metadata: optional(JsonObjectSchema),
  extensions: optional(z.array(z.string())),
  referenceTaskIds: optional(z.array(z.string())),
});

/** A2A §4.1.7. */
export const ArtifactSchema = z.object({
  artifactId: IdSchema,
  name: optional(z.string()),
  description: optional(z.string()),
  parts: z.array(PartSchema),
  metadata: optional(JsonObjectSchema),
  extensions: optional(z.array(z.string())),
});
