import { z } from "zod";
import { IdSchema, IsoTimestampSchema, JsonObjectSchema, optional } from "./json.ts";
import { HunkSchema, PlanPhaseSchema, PlanStateSchema, StepSchema } from "./plan.ts";

const PlanRef = { plan_id: IdSchema };

/** One decision, as others are told of it. */
export const DecisionRefSchema = z.object({
  decision_id: z.string(),
  type: z.string(),
  question: z.string(),
  chosen: z.string(),
});

/** Tool calls by what becomes of their effects when a plan is taken back. */
export const ToolCallEffectsSchema = z.object({
  /** Undone with the plan's copy. */
  sandboxed: z.number().int(),
  compensable: z.number().int(),
  /** Stays, whatever is done. */
  irreversible: z.number().int(),
});

export const DecisionFileSchema = z.object({
  path: z.string(),
  status: z.enum(["added", "modified", "deleted", "renamed"]),
  change: z.string(),
  insertions: z.number().int(),
  deletions: z.number().int(),
  /** Whether the plan's changeset changes the file; undefined while there is none. */
  in_changeset: z.boolean().optional(),
  hunks: z.array(HunkSchema),
  /** Hunks are left out: the file is too large for a patch, or for this answer. */
  truncated: z.boolean(),
});

export const PlanExplainParamsSchema = z.object({
  ...PlanRef,
  /** A decision's id, or the name that its script gives it; the root when absent. */
  decision_id: optional(IdSchema),
});
export const PlanExplainResultSchema = z.object({
  ...PlanRef,
  ...DecisionRefSchema.shape,
  /** The name that its script gives it. */
  label: z.string().optional(),
  phase: z.enum(["strategize", "execute"]),
  attempt: z.number().int(),
  /** Its place in the plan, from 1, and how many decisions there are. */
  sequence: z.number().int(),
  total: z.number().int(),
  parent: z.string().nullable(),
  confidence: z.number(),
  rationale: z.string().optional(),
  alternatives: z.array(
    z.object({ index: z.number().int(), id: z.string(), description: z.string(), chosen: z.boolean() }),
  ),
  /** Ids of what was not chosen. */
  alternatives_considered: z.array(z.string()),
  invariants_considered: z.array(z.object({ id: z.string().optional(), text: z.string() })),
  created_at: IsoTimestampSchema,
  is_correction: z.boolean(),
  /** The decision that it was put in the place of. */
  corrects: DecisionRefSchema.optional(),
  superseded: z.boolean(),
  superseded_by: DecisionRefSchema.optional(),
  /** Decisions that no longer stand because of this one. */
  supersedes: z.array(DecisionRefSchema),
  /** What was known when it was taken; `hash` stands for all of it. */
  context_snapshot: JsonObjectSchema,
  impact: z.object({
    /** What follows from it. */
    downstream_decisions: z.array(DecisionRefSchema),
    downstream_child_plans: z.array(z.string()),
    /** Steps that hang on it and have begun. */
    steps: z.array(StepSchema),
    files: z.array(DecisionFileSchema),
    /** Why the files cannot be told; absent where they are. */
    files_unknown: z.string().optional(),
    tool_calls: ToolCallEffectsSchema,
    events: z.array(z.object({ seq: z.number().int(), event: z.string(), at: IsoTimestampSchema })),
    /** There are more events. */
    events_truncated: z.boolean(),
  }),
  correction_hint: z.string().optional(),
});

const MOST_GUIDANCE = 64 * 1024;

export const PlanPromptParamsSchema = z.object({
  ...PlanRef,
  text: optional(z.string().trim().min(1).max(MOST_GUIDANCE)),
  /** The documents' word for `text`. */
  guidance: optional(z.string().trim().min(1).max(MOST_GUIDANCE)),
  /** The decision that it is about: an id, or the name in the script. */
  decision_id: optional(IdSchema),
  /** The same one again is the same guidance, given once. */
  message_id: optional(IdSchema),
});
export const PlanPromptResultSchema = z.object({
  ...PlanRef,
  guidance_added: z.object({
    plan: z.string(),
    guidance: z.string(),
    /** `plan`, or the id of the decision that it is about. */
    scope: z.string(),
    phase: PlanPhaseSchema,
    /** Where a plan that had stopped at an error tries again because of it. */
    state_transition: z.string().optional(),
  }),
  /** The decision that it becomes when the plan takes it. */
  decision_created: z.object({
    type: z.literal("user_intervention"),
    id: z.string(),
    parent: z.string().nullable(),
  }),
  queue: z.object({ pending: z.number().int(), applied: z.number().int() }),
  /** It had come before, with this `message_id`. */
  already: z.boolean(),
});

export const PlanCorrectParamsSchema = z.object({
  ...PlanRef,
  /** A decision's id, or the name in its script; the newest that the plan has taken when absent. */
  decision_id: optional(IdSchema),
  target_decision_id: optional(IdSchema),
  guidance: optional(z.string().trim().min(1).max(MOST_GUIDANCE)),
  text: optional(z.string().trim().min(1).max(MOST_GUIDANCE)),
  /** `revert` decides anew from there; `append` adds work below it, as a plan of its own, and undoes nothing. */
  mode: optional(z.enum(["revert", "append"])),
  /** Of `append`: the action that does the work; the plan's own, which sees the guidance, when absent. */
  action_name: optional(z.string().min(1)),
  arguments: optional(JsonObjectSchema),
  /** Say what would be undone, and change nothing. */
  dry_run: optional(z.boolean()),
  /** The same one again is the same correction, made once. */
  message_id: optional(IdSchema),
});
const FileRevertedSchema = z.object({ file: z.string(), action: z.enum(["restored", "removed"]) });
export const PlanCorrectResultSchema = z.object({
  ...PlanRef,
  phase: PlanPhaseSchema,
  state: PlanStateSchema,
  dry_run: z.boolean(),
  correction: z.object({
    /** Absent in a dry run. */
    id: z.string().optional(),
    mode: z.enum(["revert", "append"]),
    impact: z.string(),
    new_decision: z.string().optional(),
    /** The decision that it is about. */
    corrects: z.string(),
    /** Of `append`: the same, in the documents' word. */
    appended_after: z.string().optional(),
    attempt: z.number().int(),
  }),
  /** Of `append`. */
  append_detail: z
    .object({
      original_decision_preserved: z.boolean(),
      existing_artifacts_kept: z.boolean(),
      additional_work: z.string(),
      note: z.string(),
    })
    .optional(),
  /** Of `append`: the plan that does the work, once there is one. */
  queued: z.object({ new_child: z.string().optional() }).optional(),
  affected_subtree: z.object({
    decisions_invalidated: z.array(DecisionRefSchema),
    child_plans_rolled_back: z.array(z.string()),
    steps_undone: z.number().int(),
    unaffected_decisions: z.array(DecisionRefSchema),
  }),
  sandbox_rollback: z.object({
    checkpoint: z.string(),
    /** Absent where the plan's copy cannot be looked at. */
    files_reverted: z.array(FileRevertedSchema).optional(),
    /** `queued`: the plan has not come to it yet. */
    status: z.enum(["planned", "restored", "queued", "none"]),
  }),
  tool_calls: ToolCallEffectsSchema,
  warnings: z.array(z.string()),
  recompute: z.object({ queued: z.boolean(), from: z.enum(["strategize", "execute"]) }),
  history: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(["correct", "rollback", "append"]),
      corrects: z.string().optional(),
      decision: z.string().optional(),
      guidance: z.string(),
      attempt: z.number().int(),
      at: IsoTimestampSchema,
      /** Why it could not be made. */
      refused: z.string().optional(),
    }),
  ),
});
