import { z } from "zod";
import { optional } from "./json.ts";

const NameSchema = z.string().min(1);

export const McpNameParamsSchema = z.object({ name: NameSchema });
/** Where the browser comes back to: at this machine, or at an address that the operator has chosen. */
export const McpLoginParamsSchema = z.object({
  name: NameSchema,
  redirect_uri: z.url({ protocol: /^https?$/ }),
});
export const McpLoginResultSchema = z.object({
  name: z.string(),
  /** Comes back beside the code. */
  state: z.string(),
  /** Where the user logs in. */
  authorization_url: z.string(),
  expires_at: z.string(),
});
/** What the browser has brought back. */
export const McpAuthorizeParamsSchema = z.object({
  state: z.string().min(1),
  code: z.string().min(1),
  iss: optional(z.string()),
});
export const McpAuthorizeResultSchema = z.object({ name: z.string(), authorized: z.literal(true) });
/** `forgotten` is false where there was nothing. */
export const McpLogoutResultSchema = z.object({ name: z.string(), forgotten: z.boolean() });
/** One server, or all of them. */
export const McpRefreshParamsSchema = z.object({ name: optional(NameSchema) });

/** What a server says of its tool; nothing is granted for it. */
const HintsSchema = z.object({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});

const RefusedSchema = z.object({ name: z.string(), why: z.string() });

export const McpTestResultSchema = z.object({
  name: z.string(),
  server: z.object({ name: z.string(), version: z.string() }),
  /** The version of MCP that was agreed on. */
  protocol: z.string(),
  era: z.enum(["legacy", "modern"]),
  /** From its start to its first answer. */
  started_ms: z.number().int(),
  /** How its process was isolated; absent for one that is not started here. */
  enforcement: z.string().optional(),
  tools: z.array(
    z.object({
      /** What the server calls it. */
      name: z.string(),
      /** What plans call it. */
      exposed_name: z.string(),
      description: z.string(),
      hints: HintsSchema,
      /** False where the document's filters leave it out. */
      offered: z.boolean(),
    }),
  ),
  /** Tools that it lists and nobody can use. */
  refused: z.array(RefusedSchema),
  warnings: z.array(z.string()),
  /** Lines on its stdout that were no messages. */
  skipped_lines: z.number().int(),
  /** Processes of it that were left when it had been stopped. */
  left_running: z.number().int(),
});

export const McpRefreshedSchema = z.object({
  name: z.string(),
  status: z.enum(["refreshed", "unchanged", "failed"]),
  /** How many tools are known of it now. */
  tools: z.number().int(),
  added: z.array(z.string()).optional(),
  removed: z.array(z.string()).optional(),
  changed: z.array(z.string()).optional(),
  refused: z.array(RefusedSchema).optional(),
  warnings: z.array(z.string()).optional(),
  /** Why it failed; what was known of it before stays. */
  reason: z.string().optional(),
  message: z.string().optional(),
});

export const McpRefreshResultSchema = z.object({ servers: z.array(McpRefreshedSchema) });
