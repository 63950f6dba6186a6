import { z } from "zod";
import { IdSchema, IsoTimestampSchema, JsonObjectSchema, optional } from "./json.ts";
import { PageParams, pageOf } from "./paging.ts";
import { BudgetAmountsSchema } from "./profile.ts";
import { CheckResultSchema, HeldInvariantSchema } from "./validation.ts";

export const PlanPhaseSchema = z.enum(["strategize", "execute", "apply"]);
/** `running` is the documents' word on the wire for what the model calls `processing`. */
export const PlanStateSchema = z.enum([
  "queued",
  "running",
  "complete",
  "errored",
  "constrained",
  "applied",
  "cancelled",
  "rejected",
  "failed",
]);
export const DigestSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, "a digest is sha256: and 64 hex digits");

const PlanRef = { plan_id: IdSchema };
const Stage = { phase: PlanPhaseSchema, state: PlanStateSchema };

export const AskSchema = z.object({
  request_id: z.string(),
  kind: z.enum(["start", "apply", "question", "retry", "guard", "budget", "conflict"]),
  prompt: z.string(),
  options: z.array(z.object({ id: z.string(), label: z.string() })),
  free_text: z.boolean(),
  digest: DigestSchema.optional(),
  /**
   * For `guard`: guard, reason, tool, call. For `budget`: budget, limit, used, raise_to. For `conflict`: subplan,
   * child_plan, files, artifact.
   */
  details: JsonObjectSchema.optional(),
  expires_at: IsoTimestampSchema.optional(),
});

export const ChangeSummarySchema = z.object({
  files: z.number().int(),
  created: z.number().int(),
  modified: z.number().int(),
  deleted: z.number().int(),
  renamed: z.number().int(),
  mode_changes: z.number().int(),
  binary: z.number().int(),
  insertions: z.number().int(),
  deletions: z.number().int(),
});

export const PlanUseParamsSchema = z.object({
  action_name: z.string().min(1),
  arguments: optional(JsonObjectSchema),
  project: optional(z.string().min(1)),
  /** A folder of the caller; the project that it lies in is meant when `project` is absent. */
  working_directory: optional(z.string().min(1)),
  automation_profile: optional(z.string().min(1)),
  /** What the plan may use at most; its action and profile may allow less. */
  budget: optional(BudgetAmountsSchema),
  /** Names of registered validations that this plan is checked by, besides what is attached to its project and action. */
  validations: optional(z.array(z.string().min(1)).max(100)),
  /** Texts that this plan keeps to, before what its action, its project and everybody say. */
  invariants: optional(z.array(z.string().min(1).max(10_000)).max(100)),
  /** Refuse where the commands of the plan cannot be isolated from the host, or not so much. */
  require_isolation: optional(z.union([z.boolean(), z.enum(["namespace", "full"])])),
  /** Where its commands run: `host`, `devcontainer`, or `devcontainer:NAME` of those that the project describes. */
  environment: optional(
    z.string().regex(/^(host|devcontainer(:.+)?)$/, "use host, devcontainer or devcontainer:NAME"),
  ),
  session_id: optional(IdSchema),
});
export const PlanUseResultSchema = z.object({
  ...PlanRef,
  ...Stage,
  context_id: z.string(),
  action: z.string(),
  project: z.string(),
  automation_profile: z.string(),
  attempt: z.number().int(),
  inputs: JsonObjectSchema,
  actors: z.object({
    strategy: z.string().nullable(),
    execution: z.string().nullable(),
    estimation: z.string().nullable(),
  }),
  automation: z.object({ profile: z.string(), source: z.string(), read_only: z.boolean() }),
  next_steps: z.array(z.string()),
});

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
      risk: z.enum(["low", "medium"]),
      /** Earlier plans of its action that it goes by. */
      based_on: z.number().int(),
      seconds: RangeSchema.optional(),
      tokens: RangeSchema.optional(),
      cost_usd: RangeSchema.optional(),
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

export const PlanExecuteParamsSchema = z.object({
  ...PlanRef,
  execution_options: optional(
    z.object({
      /** Steps are run one after the other. */
      parallel: optional(z.boolean()),
      /** Milliseconds from now within which its work is to be done; what is not done then is stopped. */
      timeout: optional(
        z
          .number()
          .int()
          .positive()
          .max(30 * 24 * 3600 * 1000),
      ),
    }),
  ),
});
export const PlanExecuteResultSchema = z.object({
  ...PlanRef,
  ...Stage,
  attempt: z.number().int(),
  /** True when there was nothing left to start. */
  already: z.boolean(),
  /** Of this attempt of the plan. */
  execution_id: z.string(),
  /** When the plan began; when it was asked to where it is only about to. */
  started_at: IsoTimestampSchema,
});

const Globs = z.array(z.string().min(1).max(1000)).max(200);
/** A part of a plan's changes, with a digest of its own: what an apply of it has to name. */
const Selection = {
  /** Path globs as git's: `*` within a folder, `**` across them, a folder means all in it. */
  only: optional(Globs),
  exclude: optional(Globs),
  /** Merge with what changed in the project since, where it does not overlap. */
  rebase: optional(z.boolean()),
};
const LeftOutSchema = z.object({ digest: DigestSchema, paths: z.array(z.string()) });

export const PlanDiffParamsSchema = z.object({
  ...PlanRef,
  include_patch: optional(z.boolean()),
  /** The hunks of each file, apart from the patch; absent: none. */
  include_hunks: optional(z.boolean()),
  ...Selection,
  /** Of an applied plan: what was not chosen when a part of its changes was applied. */
  left_out: optional(z.boolean()),
});
/** One hunk of a unified diff. */
export const HunkSchema = z.object({
  old_start: z.number().int(),
  old_lines: z.number().int(),
  new_start: z.number().int(),
  new_lines: z.number().int(),
  /** What git says it is in, as a function's first line. */
  heading: z.string().optional(),
  /** Each begins with a space, `+`, `-`, or `\\` where there is no line feed at the end of the file. */
  lines: z.array(z.string()),
});
export const FileChangeSchema = z.object({
  path: z.string(),
  previous_path: z.string().optional(),
  /** The names are not UTF-8: both stand in double quotes, bytes as three octal digits, as git quotes them. */
  path_quoted: z.boolean().optional(),
  /** False where the file is too large for the patch: only its statistics and hashes are told. */
  in_patch: z.boolean().optional(),
  status: z.enum(["added", "modified", "deleted", "renamed"]),
  change: z.string(),
  binary: z.boolean(),
  insertions: z.number().int(),
  deletions: z.number().int(),
  old_mode: z.string().optional(),
  new_mode: z.string().optional(),
  old_size: z.number().int().optional(),
  new_size: z.number().int().optional(),
  old_sha256: z.string().optional(),
  new_sha256: z.string().optional(),
  /** Where they were asked for, of text that is in the patch; 64 kB of a file and 1 MB of all, each hunk whole. */
  hunks: z.array(HunkSchema).optional(),
  /** True where a file has more hunks than are told. */
  truncated: z.boolean().optional(),
});
export const PlanDiffResultSchema = z.object({
  ...PlanRef,
  digest: DigestSchema,
  diff_summary: z.object({
    plan: z.string(),
    project: z.string(),
    files_changed: z.number().int(),
    insertions: z.number().int(),
    deletions: z.number().int(),
    net_change: z.string(),
  }),
  files: z.array(FileChangeSchema),
  risks: z.array(z.object({ kind: z.string(), path: z.string(), note: z.string() })),
  /** What the selection leaves out. */
  left_out: LeftOutSchema.optional(),
  /** Files that both sides have changed and that were merged. */
  merged: z.array(z.string()).optional(),
  /** Unified diff as `git apply` takes it, of all files but those whose `in_patch` is false. */
  patch: z.string().optional(),
});

export const PlanApplyParamsSchema = z.object({
  ...PlanRef,
  digest: optional(DigestSchema),
  ...Selection,
  /** Verify everything, write nothing, and say what would happen. */
  dry_run: optional(z.boolean()),
  /** Make a commit on this new branch of the project's repository instead of writing its files. */
  branch: optional(z.string().min(1).max(200)),
});
export const PlanApplyResultSchema = z.object({
  ...PlanRef,
  ...Stage,
  digest: DigestSchema.optional(),
  project: z.string(),
  changes: ChangeSummarySchema.optional(),
  /** What was not applied; the plan is over, and its patch stays with `plan/diff`. */
  left_out: LeftOutSchema.optional(),
  merged: z.array(z.string()).optional(),
  branch: z.string().optional(),
  commit: z.string().optional(),
  dry_run: z.boolean().optional(),
  /** Of a dry run: what would happen to each file. */
  files: z
    .array(
      z.object({
        path: z.string(),
        previous_path: z.string().optional(),
        /** `none`: it is already as it would be. */
        action: z.enum(["create", "replace", "delete", "rename", "none"]),
      }),
    )
    .optional(),
  applied_at: IsoTimestampSchema.optional(),
  already: z.boolean(),
});

export const PlanAnswerParamsSchema = z.object({
  ...PlanRef,
  request_id: optional(z.string()),
  option: optional(z.string().min(1)),
  text: optional(z.string().min(1)),
  digest: optional(DigestSchema),
});
export const PlanRejectParamsSchema = z.object({
  ...PlanRef,
  request_id: optional(z.string()),
  reason: optional(z.string()),
});
export const PlanAnswerResultSchema = z.object({
  ...PlanRef,
  ...Stage,
  request_id: z.string(),
  choice: z.string(),
});

export const PlanCancelParamsSchema = z.object({ ...PlanRef, reason: optional(z.string()) });
export const PlanCancelResultSchema = z.object({
  ...PlanRef,
  ...Stage,
  reason: z.string().optional(),
  cancelled_at: IsoTimestampSchema,
  recovery: z.array(z.string()),
});

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

export const PlanArtifactsParamsSchema = z.object({
  ...PlanRef,
  /** The output of a command that is too long for the task's own artifact of this id, to be told in pages. */
  artifact_id: optional(z.string().regex(/^[\w-]{1,100}$/)),
  /** In bytes; what the page before gave as `next_offset`. */
  offset: optional(z.number().int().min(0)),
  limit: optional(z.number().int().min(1024).max(1_048_576)),
});
export const PlanArtifactsResultSchema = z.object({
  ...PlanRef,
  artifacts: z.array(
    z.object({
      path: z.string(),
      type: z.enum(["write", "edit", "delete", "rename"]),
      size: z.number().int().optional(),
      change: z.string(),
    }),
  ),
  /** Outputs that are kept whole, for a time. */
  outputs: z.array(z.object({ artifact_id: z.string(), size: z.number().int() })),
  /** The page that was asked for. */
  output: z
    .object({
      artifact_id: z.string(),
      offset: z.number().int(),
      text: z.string(),
      size: z.number().int(),
      next_offset: z.number().int().optional(),
    })
    .optional(),
  summary: z.object({
    total: z.number().int(),
    writes: z.number().int(),
    edits: z.number().int(),
    deletes: z.number().int(),
    renames: z.number().int(),
    total_size: z.number().int(),
  }),
  total: z.number().int(),
  next_page_token: z.string(),
});

export interface DecisionNode {
  decision_id: string;
  type: string;
  question: string;
  chosen: string;
  confidence: number;
  alternatives: { id: string; description: string }[];
  rationale?: string | undefined;
  sequence: number;
  superseded: boolean;
  superseded_by?: string | undefined;
  corrects?: string | undefined;
  child_plan?: string | undefined;
  created_at: string;
  children: DecisionNode[];
}
export const DecisionNodeSchema: z.ZodType<DecisionNode> = z.object({
  decision_id: z.string(),
  type: z.string(),
  question: z.string(),
  chosen: z.string(),
  confidence: z.number(),
  alternatives: z.array(z.object({ id: z.string(), description: z.string() })),
  rationale: z.string().optional(),
  sequence: z.number().int(),
  superseded: z.boolean(),
  /** The decision that took its place. */
  superseded_by: z.string().optional(),
  /** The decision in whose place it was put. */
  corrects: z.string().optional(),
  /** The plan that was started by it. */
  child_plan: z.string().optional(),
  created_at: IsoTimestampSchema,
  get children() {
    return z.array(DecisionNodeSchema);
  },
});
export const PlanTreeParamsSchema = z.object({ ...PlanRef, show_superseded: optional(z.boolean()) });
export const PlanTreeResultSchema = z.object({
  ...PlanRef,
  decision_root_id: z.string().nullable(),
  tree: z.array(DecisionNodeSchema),
  child_plans: z.array(ChildPlanSchema),
  summary: z.object({
    nodes: z.number().int(),
    depth: z.number().int(),
    superseded: z.number().int(),
    child_plans: z.number().int(),
  }),
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
