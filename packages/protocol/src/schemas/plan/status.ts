import { z } from "zod";
import { IdSchema, IsoTimestampSchema, JsonObjectSchema, optional } from "../json.ts";
import { PageParams, pageOf } from "../paging.ts";
import { BudgetAmountsSchema } from "../profile.ts";
import { CheckResultSchema, HeldInvariantSchema } from "../validation.ts";
import {
  AskSchema,
  ChangeSummarySchema,
  DigestSchema,
  PlanPhaseSchema,
  PlanRef,
  PlanStateSchema,
  Stage,
} from "./shared.ts";

export const StepSchema = z.object({
  index: z.number().int(),
  label: z.string(),
  kind: z.string(),
  status: z.enum(["pending", "running", "done", "skipped", "failed"]),
  detail: z.string().optional(),
});

const RangeSchema = z.object({ min: z.number(), max: z.number() });

/** A plan that a step of another one has started. */
export const ChildPlanSchema = z.object({
  /** Its name in the step. */
  name: z.string(),
  /** Absent before it is started. */
  plan_id: z.string().optional(),
  action: z.string(),
  /** Index of the step. */
  step: z.number().int(),
  status: z.enum(["pending", "running", "complete", "failed", "cancelled"]),
  phase: PlanPhaseSchema.optional(),
  state: PlanStateSchema.optional(),
  task_state: z.string().optional(),
  /** How often it was started. */
  attempt: z.number().int(),
  /** Whether what it has changed is part of the plan by now. */
  merged: z.boolean(),
  /** What it waits for somebody to answer; it is answered there, as its own task. */
  waiting_for: AskSchema.optional(),
  /** Files that do not go together with what the plan has. */
  conflicts: z.array(z.object({ path: z.string(), why: z.string() })).optional(),
  changes: ChangeSummarySchema.optional(),
  detail: z.string().optional(),
});

export const PlanStatusParamsSchema = z.object(PlanRef);

export const PlanStatusResultSchema = z.object({
  ...PlanRef,
  ...Stage,
  /** The model's own word for `state`. */
  processing_state: z.string(),
  task_state: z.string(),
  context_id: z.string(),
  action: z.string(),
  description: z.string(),
  project: z.string(),
  automation: z.object({ profile: z.string(), source: z.string() }),
  attempt: z.number().int(),
  progress: z.object({
    total_steps: z.number().int(),
    completed_steps: z.number().int(),
    current_step: z.string().nullable(),
  }),
  steps: z.array(StepSchema),
  timing: z.object({
    created: IsoTimestampSchema,
    started: IsoTimestampSchema.optional(),
    finished: IsoTimestampSchema.optional(),
  }),
  execution: z.object({
    sandbox: z.enum(["none", "git", "plain"]),
    /** Where its commands run, if not on the host: `devcontainer:NAME`. */
    environment: z.string().optional(),
    enforcement: z.enum(["full", "namespace", "container", "none"]).optional(),
    /** Why it is no more, where commands are not isolated. */
    enforcement_reason: z.string().optional(),
    /** What holds of the limits of commands, in words. */
    limits: z.string().optional(),
    /** Who lets the plan run only where they are. */
    isolation_demanded_by: z.enum(["plan", "action", "profile", "server"]).optional(),
    /** The least that is demanded, where not any isolation will do. */
    isolation_demanded: z.enum(["namespace", "full"]).optional(),
    warnings: z.array(z.string()),
    tool_calls: z.number().int(),
    checkpoints: z.number().int(),
    /** As in `1/2 complete`, where it has started plans. */
    child_plans: z.string().optional(),
  }),
  /** The plan that has started this one, and as what. */
  parent: z.object({ plan_id: z.string(), root_plan_id: z.string(), name: z.string() }).optional(),
  /** Plans that it has started. */
  children: z.array(ChildPlanSchema).optional(),
  /** What it was thought to take, where its action asks for that; nothing is decided by it. */
  estimate: z
    .object({
      steps: z.number().int(),
      tool_calls: RangeSchema,
      checks: z.number().int(),
      child_plans: z.number().int(),
      risk: z.enum(["low", "medium", "high"]),
      /** Earlier plans of its action that it goes by. */
      based_on: z.number().int(),
      seconds: RangeSchema.optional(),
      tokens: RangeSchema.optional(),
      cost_usd: RangeSchema.optional(),
      /** The actor whose opinion it is; absent where it is reckoned from the script and earlier plans alone. */
      by: z.string().optional(),
      rationale: z.string().optional(),
      /** Why the actor that was asked has said nothing. */
      unanswered: z.string().optional(),
    })
    .optional(),
  /** What it is checked by, and what that has come to. */
  validations: z.array(CheckResultSchema).optional(),
  /** What it keeps to, and whether it does. */
  invariants: z.array(HeldInvariantSchema).optional(),
  /** How often it was taken back to the beginning of a phase. */
  reversions: z.number().int().optional(),
  /** It waits for a place among the plans that are carried out. */
  queue: z
    .object({
      since: IsoTimestampSchema,
      /** From 1; absent where another process has the line. */
      position: z.number().int().optional(),
      /** How many plans are carried out at a time. */
      places: z.number().int(),
    })
    .optional(),
  /** How sure it was, at the last gate, that the plan may go on by itself, and why. */
  confidence: z
    .object({
      value: z.number(),
      gate: z.string(),
      threshold: z.number(),
      passed: z.boolean(),
      /** The weakest decision: confidence is never more. */
      decisions: z.number(),
      factors: z.array(
        z.object({ name: z.string(), weight: z.number(), value: z.number(), why: z.string() }),
      ),
      explanation: z.string(),
    })
    .optional(),
  /** What the plan may use, and what it has used. */
  budget: z
    .object({
      limits: BudgetAmountsSchema,
      used: BudgetAmountsSchema,
      /** Budgets that it charges besides its own. */
      shared: z
        .array(
          z.object({
            /** Whose it is: a plan's that has started this one, or the session's, or the namespace's for a day. */
            of: z.enum(["plan", "session", "namespace"]),
            name: z.string(),
            limits: BudgetAmountsSchema,
            used: BudgetAmountsSchema,
          }),
        )
        .optional(),
    })
    .optional(),
  changes: ChangeSummarySchema.optional(),
  digest: DigestSchema.optional(),
  waiting_for: AskSchema.optional(),
  error: z
    .object({
      reason: z.string(),
      message: z.string(),
      step: z.string().optional(),
      recoverable: z.boolean(),
      /** The last lines that a failed command wrote. */
      output: z.string().optional(),
    })
    .optional(),
  cancel_reason: z.string().optional(),
  /** The id that its caller has given it, and what the caller keeps with it. */
  alias: z.string().optional(),
  metadata: JsonObjectSchema.optional(),
  /** When its work is to be over. */
  deadline: IsoTimestampSchema.optional(),
});

export const PlanListParamsSchema = z.object({
  phase: optional(PlanPhaseSchema),
  state: optional(PlanStateSchema),
  project: optional(z.string()),
  action: optional(z.string()),
  /** Only plans that this one has started. */
  parent: optional(IdSchema),
  ...PageParams,
});

export const PlanListItemSchema = z.object({
  ...PlanRef,
  ...Stage,
  task_state: z.string(),
  action: z.string(),
  project: z.string(),
  files_changed: z.number().int().optional(),
  insertions: z.number().int().optional(),
  deletions: z.number().int().optional(),
  waiting_for: z.string().optional(),
  /** The plan that has started it. */
  parent: z.string().optional(),
  created_at: IsoTimestampSchema,
  updated_at: IsoTimestampSchema,
});

export const PlanListResultSchema = pageOf("plans", PlanListItemSchema);
