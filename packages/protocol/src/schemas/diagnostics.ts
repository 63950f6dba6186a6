import { z } from "zod";
import { optional } from "./json.ts";

export const DiagnosticsRunParamsSchema = z.object({
  /** Also what to hand on to somebody who helps: for the local user alone. */
  files: optional(z.boolean()),
});

export const DiagnosticsRunResultSchema = z.object({
  /** The worst of all. */
  status: z.enum(["ok", "warn", "error"]),
  version: z.string(),
  service: z.string(),
  timestamp: z.string(),
  checks: z.array(
    z.object({
      id: z.string(),
      status: z.enum(["ok", "warn", "error"]),
      summary: z.string(),
      remediation: z.string().optional(),
    }),
  ),
  /** Texts without credentials. */
  files: z.array(z.object({ name: z.string(), text: z.string() })).optional(),
});
