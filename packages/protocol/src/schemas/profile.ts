import { z } from "zod";
import { IsoTimestampSchema } from "./json.ts";
import { pageOf } from "./paging.ts";

/** How much of each kind; of limits, a kind that is absent is not bounded. */
export const BudgetAmountsSchema = z.object({
  tool_calls: z.number().nonnegative().optional(),
  cost_usd: z.number().nonnegative().optional(),
  tokens: z.number().nonnegative().optional(),
  /** Time that calls take. */
  seconds: z.number().nonnegative().optional(),
});

export const ProfileItemSchema = z.object({
  name: z.string(),
  description: z.string(),
  source: z.enum(["builtin", "custom"]),
  is_default: z.boolean(),
  created_at: IsoTimestampSchema.optional(),
  updated_at: IsoTimestampSchema.optional(),
});
export const ProfileDetailSchema = z.object({
  ...ProfileItemSchema.shape,
  /** By gate: 0 goes on by itself, 1 asks always. */
  thresholds: z.record(z.string(), z.number()),
  require_sandbox: z.boolean(),
  require_isolation: z.union([z.boolean(), z.enum(["namespace", "full"])]),
  require_checkpoints: z.boolean(),
  allow_unsafe_tools: z.boolean(),
  guards: z.object({
    tool_denylist: z.array(z.string()),
    tool_allowlist: z.array(z.string()),
    max_tool_calls_per_step: z.number().optional(),
    max_identical_calls: z.number(),
    require_approval_for_writes: z.boolean(),
    require_approval_for_apply: z.boolean(),
    commands: z
      .object({
        allow: z.array(z.string()),
        ask: z.array(z.string()),
        deny: z.array(z.string()),
        otherwise: z.enum(["ask", "deny"]),
      })
      .optional(),
  }),
  budget: BudgetAmountsSchema,
});
export const ProfileListResultSchema = pageOf("profiles", ProfileItemSchema);
export const ProfileRemoveResultSchema = z.object({ name: z.string(), removed: z.literal(true) });
