import { z } from "zod";
import { CommandPolicySchema } from "./command-policy.ts";

/** A tool's name, `*` for any letters. */
const ToolPatternSchema = z.string().regex(/^[A-Za-z0-9_*./:-]+$/, "a tool's name, with * for any letters");

/** What is looked at before every tool call of a plan. */
export const GuardsSchema = z.strictObject({
  tool_denylist: z.array(ToolPatternSchema).default([]),
  /** Empty: every tool. */
  tool_allowlist: z.array(ToolPatternSchema).default([]),
  max_tool_calls_per_step: z.number().int().nonnegative().optional(),
  /** How often the same call may be made in a row; the next one is asked about. */
  max_identical_calls: z.number().int().positive().default(2),
  require_approval_for_writes: z.boolean().default(false),
  require_approval_for_apply: z.boolean().default(false),
  /** Without it commands are held by their sandbox alone. */
  commands: CommandPolicySchema.optional(),
});
export type Guards = z.output<typeof GuardsSchema>;

export const DEFAULT_GUARDS: Guards = GuardsSchema.parse({});
