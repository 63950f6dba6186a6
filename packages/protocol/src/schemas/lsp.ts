import { z } from "zod";
import { optional } from "./json.ts";

export const LspTestParamsSchema = z.object({
  name: z.string().min(1),
  /** On a copy of which it is tried; in an empty folder without one. */
  project: optional(z.string().min(1)),
});

export const LspTestResultSchema = z.object({
  name: z.string(),
  /** What it calls itself. */
  server: z.object({ name: z.string().optional(), version: z.string().optional() }),
  /** What can be asked of it: names of the `lsp/…` tools. */
  capabilities: z.array(z.string()),
  /** How it counts characters; what plans give and get is always counted in code points. */
  position_encoding: z.string(),
  /** Whether it is asked for diagnostics, or publishes them. */
  diagnostics: z.enum(["pull", "push"]),
  /** From its start until it had initialized. */
  started_ms: z.number().int(),
  /** How its process was isolated. */
  enforcement: z.string(),
  /** A file of the project, and what it said of it. */
  tried: z
    .object({ path: z.string(), errors: z.number().int(), warnings: z.number().int(), stale: z.boolean() })
    .optional(),
  /** Processes of it that were left when it had been stopped. */
  left_running: z.number().int(),
});
