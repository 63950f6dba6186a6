import { z } from "zod";
import { IdSchema, JsonObjectSchema, optional } from "./json.ts";

const CONTENT = ["text", "raw", "url", "data"] as const;

/** A2A §4.1.6: exactly one of `text`, `raw` (base64), `url`, `data`. */
export const PartSchema = z
  .object({
    text: z.string().optional(),
    raw: z.base64().optional(),
    url: z.string().min(1).optional(),
    data: z.json().optional(),
    mediaType: optional(z.string()),
    filename: optional(z.string()),
    metadata: optional(JsonObjectSchema),
  })
  .refine((part) => CONTENT.filter((key) => part[key] !== undefined).length === 1, {
    message: "a part has exactly one of text, raw, url and data",
  });

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
