import { z } from "zod";
import { IdSchema, optional } from "./json.ts";

export const UsageShowParamsSchema = z.object({
  /** One plan; it cannot be asked for together with a session. */
  plan_id: optional(IdSchema),
  /** Everything in one session. */
  session_id: optional(IdSchema),
  /** Of one model only, `provider/model`. */
  model: optional(z.string().min(1).max(512)),
});

const Count = z.number().int().nonnegative();
/** Tokens are disjoint: what came from a cache is in none of the others. */
export const ModelUsageSchema = z.object({
  calls: Count,
  input_tokens: Count,
  cache_read_tokens: Count,
  cache_write_tokens: Count,
  output_tokens: Count,
  total_tokens: Count,
  /** US dollars; absent where nobody has said what the model costs. */
  cost_usd: z.number().nonnegative().optional(),
  /** Calls of which the server did not say what they used. */
  estimated_calls: Count,
});

export const UsageShowResultSchema = z.object({
  total: ModelUsageSchema,
  /** What part of the total has no price is in no cost. */
  unpriced_models: z.array(z.string()),
  models: z.array(ModelUsageSchema.extend({ model: z.string(), role: z.string() })),
  /** Plans and messages that have used most, at most a hundred. */
  tasks: z.array(
    z.object({
      task_id: z.string(),
      context_id: z.string(),
      action: z.string().optional(),
      calls: Count,
      total_tokens: Count,
      cost_usd: z.number().nonnegative().optional(),
    }),
  ),
  /** How many plans and messages have used any. */
  total_tasks: Count,
});
