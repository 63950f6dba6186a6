import { z } from "zod";

export const ActorTestParamsSchema = z.object({ name: z.string().min(1).max(512) });

export const ActorTestResultSchema = z.object({
  name: z.string(),
  model: z.string(),
  /** Whether it is of use for plans, which need calls of tools, and for conversations. */
  plans: z.boolean(),
  conversations: z.boolean(),
  probes: z.array(
    z.object({
      probe: z.string(),
      verdict: z.enum(["ok", "lacking", "failed", "skipped"]),
      detail: z.string(),
    }),
  ),
});
