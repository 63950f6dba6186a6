import { z } from "zod";
import { IsoTimestampSchema, optional } from "./json.ts";
import { PageParams, pageOf } from "./paging.ts";

export const ExecutableKindSchema = z.enum(["mcp", "lsp", "skill", "tool"]);
const DigestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/, "sha256: and 64 hexadecimal digits");

/** Consent to starting exactly one thing, or, without `granted_at`, that it has asked in vain. */
export const ConsentSchema = z.object({
  kind: ExecutableKindSchema,
  name: z.string(),
  digest: z.string(),
  trusted: z.boolean(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  /** Names of the variables that it is started with. */
  variables: z.array(z.string()).optional(),
  files: z.array(z.object({ path: z.string(), sha256: z.string() })).optional(),
  granted_by: z.string().optional(),
  granted_at: IsoTimestampSchema.optional(),
});
export const TrustListParamsSchema = z.object({ kind: optional(ExecutableKindSchema), ...PageParams });
export const TrustListResultSchema = pageOf("consents", ConsentSchema);

export const TrustParamsSchema = z.object({
  kind: ExecutableKindSchema,
  name: z.string().min(1),
  /** To what consent is given, or which consent ends. */
  digest: optional(DigestSchema),
});
export const TrustRemoveResultSchema = z.object({ removed: z.array(ConsentSchema) });
