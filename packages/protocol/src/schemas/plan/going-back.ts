import { z } from "zod";
import { IdSchema, optional } from "../json.ts";
import { DigestSchema, PlanPhaseSchema, PlanRef, PlanStateSchema, Stage } from "./shared.ts";

export const PlanRevertParamsSchema = z.object({
  ...PlanRef,
  /** The phase that it begins again; `strategize` when absent. */
  to_phase: optional(z.enum(["strategize", "execute"])),
  /** Becomes guidance, so that the plan can decide otherwise. */
  reason: optional(z.string().min(1)),
});

export const PlanRevertResultSchema = z.object({
  ...PlanRef,
  ...Stage,
  attempt: z.number().int(),
  reversions: z.number().int(),
  reversions_left: z.number().int(),
  next_steps: z.array(z.string()),
});

export const PlanRollbackParamsSchema = z.object({
  ...PlanRef,
  /** Of a plan that is not applied: `start` or `step-N`; what undoes its last step when absent. */
  checkpoint: optional(z.string().min(1).max(100)),
  /** Of a plan that is not applied: say what would be undone, and change nothing. */
  dry_run: optional(z.boolean()),
  /** The same one again is the same rollback, made once. */
  message_id: optional(IdSchema),
});

const CheckpointSchema = z.object({ checkpoint: z.string(), label: z.string() });

export const PlanRollbackResultSchema = z.object({
  /** Of an applied plan: the new one, which waits to be applied. Else the plan itself, which waits to be started. */
  ...PlanRef,
  ...Stage,
  context_id: z.string(),
  /** Of an applied plan: the changeset that undoes it. */
  digest: DigestSchema.optional(),
  rollback_summary: z.object({
    plan: z.string(),
    project: z.string(),
    files_reverted: z.number().int(),
    checkpoint: z.string().optional(),
    label: z.string().optional(),
  }),
  /** Of a plan that is not applied. */
  impact: z
    .object({
      child_plans_invalidated: z.array(z.string()),
      decisions_after_cp: z.array(z.string()),
      steps_undone: z.number().int(),
      tool_calls_after_cp: z.object({
        sandboxed: z.number().int(),
        compensable: z.number().int(),
        irreversible: z.number().int(),
      }),
      warnings: z.array(z.string()),
    })
    .optional(),
  post_rollback_state: z
    .object({ phase: PlanPhaseSchema, state: PlanStateSchema, checkpoints_remaining: z.number().int() })
    .optional(),
  /** Those that there are, oldest first. */
  checkpoints: z.array(CheckpointSchema).optional(),
  dry_run: z.boolean().optional(),
  changes_reverted: z.array(z.object({ file: z.string(), action: z.enum(["restored", "removed"]) })),
  next_steps: z.array(z.string()),
});
