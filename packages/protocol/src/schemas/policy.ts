import { z } from "zod";
import { optional } from "./json.ts";

export const VerdictSchema = z.enum(["allow", "ask", "deny"]);

export const PolicyExplainParamsSchema = z.object({
  /** A text is read as `sh -c` reads it; a list is one command, word by word. */
  command: z.union([z.string().max(100_000), z.array(z.string().max(100_000)).min(1).max(1000)]),
  /** The automation profile whose rules count; that of plans without one when absent. */
  profile: optional(z.string().min(1)),
});
export const PolicyExplainResultSchema = z.object({
  command: z.union([z.string(), z.array(z.string())]),
  profile: z.string(),
  /** Whether plans of this profile are held to the verdict; else their sandbox alone holds them. */
  enforced: z.boolean(),
  verdict: VerdictSchema,
  reason: z.string(),
  /** Every simple command that would be run, those in other commands indented by their depth. */
  commands: z.array(
    z.object({
      command: z.string(),
      verdict: VerdictSchema,
      reason: z.string(),
      rule: z.string().optional(),
      depth: z.number().int(),
    }),
  ),
  unclear: z.array(z.string()),
});
