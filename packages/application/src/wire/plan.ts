import {
  type ChangesetSummary,
  type Decision,
  type FileChange,
  isInterrupted,
  type Plan,
  type PlanState,
  type PlanStep,
  type SharedBudget,
} from "@cleveragents/domain";
import type { DecisionNode, ResultOf } from "@cleveragents/protocol";
import { planAccount } from "../plans/shared-budgets.ts";
import type { TaskRow } from "../ports/task-store.ts";
import type { ChildView } from "../services/plan-children.ts";
import type { QueueView } from "../services/plan-service.ts";
import { toWireAsk } from "./ask.ts";
import { toWireChecks, toWireHeld } from "./checks.ts";
import { compact } from "./message.ts";
import { hunksOf } from "./patch-hunks.ts";
import { iso, toWireTaskState } from "./task.ts";

type Status = ResultOf<"_cleveragents/plan/status">;
type ListItem = ResultOf<"_cleveragents/plan/list">["plans"][number];

/** The documents say `running` on the wire where the model says `processing`. */
export function toWireState(state: PlanState): Status["state"] {
  return state === "processing" ? "running" : state;
}
export function fromWireState(state: Status["state"]): PlanState {
  return state === "running" ? "processing" : state;
}

export function toWireStage(plan: Plan): Pick<Status, "plan_id" | "phase" | "state"> {
  return { plan_id: plan.planId, phase: plan.stage.phase, state: toWireState(plan.stage.state) };
}

export function toWireSummary(summary: ChangesetSummary): NonNullable<Status["changes"]> {
  const { files, created, modified, deleted, renamed, modeChanges, binary, insertions, deletions } = summary;
  return {
    files,
    created,
    modified,
    deleted,
    renamed,
    mode_changes: modeChanges,
    binary,
    insertions,
    deletions,
  };
}

export function toPlanStatus(
  row: TaskRow,
  plan: Plan,
  queue?: QueueView,
  children: readonly ChildView[] = [],
  shared: readonly SharedBudget[] = [],
): Status {
  const current =
    plan.steps.find((step) => step.status === "running") ??
    (plan.failure === undefined ? undefined : plan.steps.find((step) => step.status === "failed"));
  // A step that has failed and has not stopped the plan is behind it.
  const ended = (step: PlanStep) =>
    step.status === "done" ||
    step.status === "skipped" ||
    (step.status === "failed" && plan.failure === undefined);
  return {
    ...toWireStage(plan),
    processing_state: plan.stage.state,
    task_state: toWireTaskState(row.state),
    context_id: plan.contextId,
    action: plan.action,
    description: plan.description,
    project: plan.project.name,
    automation: { profile: plan.profile.name, source: plan.profile.source },
    attempt: plan.attempt,
    progress: {
      total_steps: plan.steps.length,
      completed_steps: plan.steps.filter(ended).length,
      current_step: current?.label ?? null,
    },
    steps: plan.steps.map(toWireStep),
    timing: {
      created: iso(plan.createdAt),
      ...compact({
        started: plan.startedAt === undefined ? undefined : iso(plan.startedAt),
        finished: plan.finishedAt === undefined ? undefined : iso(plan.finishedAt),
      }),
    },
    execution: {
      sandbox: plan.sandbox === undefined || plan.sandbox.disposed === true ? "none" : plan.sandbox.kind,
      ...compact({
        environment:
          plan.environment === undefined ? undefined : `${plan.environment.kind}:${plan.environment.name}`,
        enforcement: plan.sandbox?.enforcement,
        enforcement_reason: plan.sandbox?.enforcementReason,
        limits: plan.sandbox?.limits,
        isolation_demanded_by: plan.isolationDemand,
        isolation_demanded: plan.isolationLevel,
      }),
      warnings: [...(plan.sandbox?.warnings ?? [])],
      tool_calls: plan.toolCalls,
      checkpoints: plan.steps.filter((step) => step.checkpoint !== undefined).length,
      ...(children.length === 0
        ? {}
        : {
            child_plans: `${children.filter(({ child }) => child.status === "complete").length}/${children.length} complete`,
          }),
    },
    ...(plan.parent === undefined
      ? {}
      : {
          parent: { plan_id: plan.parent.planId, root_plan_id: plan.parent.rootId, name: plan.parent.name },
        }),
    ...(children.length === 0 ? {} : { children: children.map(toWireChild) }),
    budget: toWireBudget(plan, shared),
    ...compact({
      estimate: toWireEstimate(plan),
      validations: toWireChecks(plan),
      invariants: toWireHeld(plan),
      reversions: plan.reversions,
      queue: queue === undefined ? undefined : { ...queue, since: iso(queue.since) },
      confidence: toWireConfidence(plan),
      changes: plan.changeset === undefined ? undefined : toWireSummary(plan.changeset.summary),
      digest: plan.changeset?.digest,
      waiting_for: plan.open === undefined || row.state === "working" ? undefined : toWireAsk(plan.open),
      error: plan.failure === undefined ? undefined : toWireFailure(plan),
      cancel_reason: plan.cancelReason,
      alias: plan.oneOff?.alias,
      metadata: plan.oneOff?.metadata,
      deadline: plan.deadline === undefined ? undefined : iso(plan.deadline),
    }),
  };
}

export function toWireChild({ step, child, row, plan }: ChildView): NonNullable<Status["children"]>[number] {
  const { name, action, status, tries, merged = false, conflicts, detail, planId } = child;
  const waits = row !== undefined && isInterrupted(row.state);
  return {
    name,
    action: plan?.action ?? action,
    step,
    status,
    attempt: tries,
    merged,
    ...compact({
      plan_id: planId,
      phase: plan?.stage.phase,
      state: plan === undefined ? undefined : toWireState(plan.stage.state),
      task_state: row === undefined ? undefined : toWireTaskState(row.state),
      waiting_for: waits && plan?.open !== undefined ? toWireAsk(plan.open) : undefined,
      conflicts: conflicts?.map(({ path, why }) => ({ path, why })),
      changes: plan?.changeset === undefined ? undefined : toWireSummary(plan.changeset.summary),
      detail,
    }),
  };
}

export function toWireStep({ index, label, kind, status, detail }: PlanStep): Status["steps"][number] {
  return { index, label, kind, status, ...compact({ detail }) };
}

/** Of a plan that has started others its own budget is what all of them have used. */
function toWireBudget({ planId, guarding }: Plan, shared: readonly SharedBudget[]): Status["budget"] {
  const own = shared.find(({ id }) => id === planAccount(planId));
  const others = shared.filter((budget) => budget !== own);
  return {
    limits: own?.limits ?? guarding?.limits ?? {},
    used: own?.used ?? guarding?.spending.used ?? {},
    ...(others.length === 0
      ? {}
      : { shared: others.map(({ of, name, limits, used }) => ({ of, name, limits, used })) }),
  };
}

function toWireConfidence({ confidence }: Plan): Status["confidence"] {
  if (confidence === undefined) return undefined;
  const { value, gate, threshold, passed, decisions, explanation, factors } = confidence;
  return {
    value,
    gate,
    threshold,
    passed,
    decisions,
    explanation,
    factors: factors.map((factor) => ({ ...factor })),
  };
}

function toWireEstimate({ estimate }: Plan): Status["estimate"] {
  if (estimate === undefined) return undefined;
  const { toolCalls, childPlans, basedOn, ...rest } = estimate;
  return { ...rest, tool_calls: toolCalls, child_plans: childPlans, based_on: basedOn };
}

function toWireFailure(plan: Plan): NonNullable<Status["error"]> {
  const failure = plan.failure as NonNullable<Plan["failure"]>;
  const step = failure.step === undefined ? undefined : `${failure.step + 1} of ${plan.steps.length}`;
  return {
    reason: failure.reason,
    message: failure.message,
    recoverable: failure.recoverable,
    ...compact({ step, output: failure.output }),
  };
}

export function toPlanListItem(row: TaskRow, plan: Plan): ListItem {
  return {
    ...toWireStage(plan),
    task_state: toWireTaskState(row.state),
    action: plan.action,
    project: plan.project.name,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
    ...compact({
      files_changed: plan.changeset?.summary.files,
      insertions: plan.changeset?.summary.insertions,
      deletions: plan.changeset?.summary.deletions,
      waiting_for: isInterrupted(row.state) ? plan.open?.kind : undefined,
      parent: plan.parent?.planId,
    }),
  };
}

const STATUS_OF_OP = { create: "added", modify: "modified", delete: "deleted", rename: "renamed" } as const;

/** As {@link toWireFile}, with the hunks that the patch has of each. */
export function toWireFilesWithHunks(
  files: readonly FileChange[],
  patch: string,
): ResultOf<"_cleveragents/plan/diff">["files"] {
  const found = hunksOf(files, patch);
  return files.map((file, at) => {
    const { hunks = [], truncated = false } = found[at] ?? {};
    return { ...toWireFile(file), hunks, ...(truncated ? { truncated } : {}) };
  });
}

export function toWireFile(file: FileChange): ResultOf<"_cleveragents/plan/diff">["files"][number] {
  const modeChanged = file.before !== null && file.after !== null && file.before.mode !== file.after.mode;
  return {
    path: file.path,
    status: STATUS_OF_OP[file.op],
    change: describeChange(file),
    binary: file.binary,
    insertions: file.insertions,
    deletions: file.deletions,
    ...compact({
      previous_path: file.previousPath,
      path_quoted: file.quoted,
      in_patch: file.leftOut === true ? false : undefined,
      old_mode: modeChanged || file.op === "delete" ? file.before?.mode : undefined,
      new_mode: modeChanged || file.op === "create" ? file.after?.mode : undefined,
      old_size: file.before?.size,
      new_size: file.after?.size,
      old_sha256: file.before?.sha256,
      new_sha256: file.after?.sha256,
    }),
  };
}

/** `+8 -2`, or sizes where lines mean nothing. */
export function describeChange(file: FileChange): string {
  if (file.binary) return `${file.before?.size ?? 0} -> ${file.after?.size ?? 0} bytes`;
  if (file.insertions === 0 && file.deletions === 0 && file.before !== null && file.after !== null) {
    if (file.before.mode !== file.after.mode) return `mode ${file.before.mode} -> ${file.after.mode}`;
    if (file.op === "rename") return "renamed";
  }
  return `+${file.insertions} -${file.deletions}`;
}

export function toDecisionTree(
  { decisions, steps }: Pick<Plan, "decisions" | "steps">,
  withSuperseded: boolean,
): DecisionNode[] {
  const shown = decisions.filter((decision) => withSuperseded || decision.supersededBy === undefined);
  const ids = new Set(shown.map((decision) => decision.decisionId));
  const children = (parent: string | null): DecisionNode[] =>
    shown
      .filter((d) => (d.parentId !== null && ids.has(d.parentId) ? d.parentId : null) === parent)
      .map(node);
  function node(decision: Decision): DecisionNode {
    return {
      decision_id: decision.decisionId,
      type: decision.type,
      question: decision.question,
      chosen: decision.chosen,
      confidence: decision.confidence,
      alternatives: decision.alternatives.map(({ id, description }) => ({ id, description })),
      ...compact({ rationale: decision.rationale }),
      sequence: decision.sequence,
      superseded: decision.supersededBy !== undefined,
      ...compact({
        superseded_by: decision.supersededBy,
        corrects: decision.corrects,
        child_plan: decision.supersededBy === undefined ? childOf(steps, decision) : undefined,
      }),
      created_at: iso(decision.createdAt),
      children: children(decision.decisionId),
    };
  }
  return children(null);
}

function childOf(steps: readonly PlanStep[], { step, subplan }: Decision): string | undefined {
  if (step === undefined || subplan === undefined) return undefined;
  return steps[step]?.children?.find(({ name }) => name === subplan)?.planId;
}
