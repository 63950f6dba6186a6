import {
  type Correction,
  type Decision,
  isFinalStage,
  type JsonObject,
  type JsonValue,
  type Plan,
  stands,
} from "@cleveragents/domain";
import type { ResultOf } from "@cleveragents/protocol";
import { checkpointName } from "../plans/correcting.ts";
import type { RolledBack } from "../services/decision-service.ts";
import type { Corrected, Impact } from "../services/plan-correction.ts";
import type { Explanation } from "../services/plan-explanation.ts";
import type { GivenGuidance } from "../services/plan-guidance.ts";
import { compact } from "./message.ts";
import { toWireFile, toWireStage, toWireStep } from "./plan.ts";
import { iso } from "./task.ts";

type Explained = ResultOf<"_cleveragents/plan/explain">;

export function toDecisionRef({
  decisionId,
  type,
  question,
  chosen,
}: Decision): Explained["supersedes"][number] {
  return { decision_id: decisionId, type, question, chosen };
}

export function toWireExplanation(explanation: Explanation): Explained {
  const { plan, decision, corrected, supersededBy } = explanation;
  const { decisionId, label, phase, attempt, sequence, parentId, confidence, alternatives } = decision;
  return {
    plan_id: plan.planId,
    ...toDecisionRef(decision),
    phase,
    attempt,
    sequence,
    total: plan.decisions.length,
    parent: parentId,
    confidence,
    alternatives: alternatives.map(({ id, description }, index) => ({
      index,
      id,
      description,
      chosen: id === decision.chosen,
    })),
    alternatives_considered: alternatives.flatMap(({ id }) => (id === decision.chosen ? [] : [id])),
    invariants_considered: invariantsIn(decision.context),
    created_at: iso(decision.createdAt),
    is_correction: decision.corrects !== undefined,
    superseded: !stands(decision),
    supersedes: explanation.supersedes.map(toDecisionRef),
    context_snapshot: decision.context as Explained["context_snapshot"],
    impact: {
      downstream_decisions: explanation.downstream.map(toDecisionRef),
      downstream_child_plans: [...explanation.children],
      steps: explanation.steps.map(toWireStep),
      files: explanation.files.map(({ file, inChangeset, hunks, truncated }) => {
        const { path, status, change, insertions, deletions } = toWireFile(file);
        return {
          path,
          status,
          change,
          insertions,
          deletions,
          ...compact({ in_changeset: inChangeset }),
          hunks: [...hunks],
          truncated,
        };
      }),
      ...compact({ files_unknown: explanation.filesUnknown }),
      tool_calls: { ...explanation.calls },
      events: explanation.events.map(({ seq, at, event }) => ({
        seq,
        event: event.domain?.name ?? event.type,
        at: iso(at),
      })),
      events_truncated: explanation.eventsTruncated,
    },
    ...compact({
      correction_hint:
        stands(decision) && !isFinalStage(plan.stage)
          ? `agents plan correct ${plan.planId} ${label ?? decisionId} --guidance TEXT`
          : undefined,
      label,
      rationale: decision.rationale,
      corrects: corrected && toDecisionRef(corrected),
      superseded_by: supersededBy && toDecisionRef(supersededBy),
    }),
  };
}

export function toWireGuidance(given: GivenGuidance): ResultOf<"_cleveragents/plan/prompt"> {
  const { plan, decisionId, parent, text, pending, retries, already } = given;
  const { phase, state } = plan.stage;
  return {
    plan_id: plan.planId,
    guidance_added: {
      plan: plan.planId,
      guidance: text,
      scope: parent === undefined || parent.parentId === null ? "plan" : parent.decisionId,
      phase,
      ...(retries ? { state_transition: `${state} -> queued` } : {}),
    },
    decision_created: { type: "user_intervention", id: decisionId, parent: parent?.decisionId ?? null },
    queue: { pending, applied: plan.guidance.length },
    already,
  };
}

/** What a correction would undo. */
export function toWireImpact(impact: Impact): ResultOf<"_cleveragents/plan/correct"> {
  const { plan, target, restart, undone, unaffected, steps, files, warnings } = impact;
  return {
    ...toWireStage(plan),
    dry_run: true,
    correction: {
      mode: "revert",
      impact: `${many(undone.length, "decision")}, ${many(impact.children.length, "child plan")}, ${many(files?.length ?? 0, "file")}`,
      corrects: target?.decisionId ?? "",
      attempt: plan.attempt + 1,
    },
    affected_subtree: {
      decisions_invalidated: undone.map(toDecisionRef),
      child_plans_rolled_back: [...impact.children],
      steps_undone: steps,
      unaffected_decisions: unaffected.map(toDecisionRef),
    },
    sandbox_rollback: {
      checkpoint: checkpointName(restart.step),
      ...compact({ files_reverted: files?.map(({ path, action }) => ({ file: path, action })) }),
      status: plan.sandbox === undefined ? "none" : "planned",
    },
    tool_calls: { ...impact.calls },
    warnings: [...warnings],
    recompute: { queued: false, from: restart.phase },
    history: (plan.corrections ?? []).map(toWireCorrection),
  };
}

export function toWireCorrected(corrected: Corrected): ResultOf<"_cleveragents/plan/correct"> {
  const { now, correction, plan } = corrected;
  const told = toWireImpact(corrected);
  const status = correction === undefined ? "queued" : "restored";
  return {
    ...told,
    ...toWireStage(now),
    dry_run: false,
    correction: {
      ...told.correction,
      attempt: correction?.attempt ?? told.correction.attempt,
      ...compact({ id: correction?.correctionId, new_decision: correction?.decisionId }),
    },
    sandbox_rollback: { ...told.sandbox_rollback, status: plan.sandbox === undefined ? "none" : status },
    recompute: { queued: true, from: corrected.restart.phase },
    history: (now.corrections ?? []).map(toWireCorrection),
  };
}

/** Work that is added to a plan, or would be. */
export function toWireAppended(
  added: Impact | Corrected,
  text: string,
): ResultOf<"_cleveragents/plan/correct"> {
  const told = toWireImpact(added);
  const now = "now" in added ? added.now : added.plan;
  const correction = "correction" in added ? added.correction : undefined;
  const step = now.steps.find(({ addedBy }) => addedBy !== undefined && addedBy === correction?.decisionId);
  const child = step?.children?.[0]?.planId;
  return {
    ...told,
    ...toWireStage(now),
    dry_run: !("now" in added),
    correction: {
      ...told.correction,
      ...APPENDED,
      appended_after: told.correction.corrects,
      attempt: correction?.attempt ?? told.correction.attempt,
      ...compact({ id: correction?.correctionId, new_decision: correction?.decisionId }),
    },
    append_detail: appendDetail(text),
    queued: compact({ new_child: child }),
    sandbox_rollback: { checkpoint: checkpointName(now.steps.length), files_reverted: [], status: "none" },
    recompute: { queued: "now" in added, from: "execute" },
    history: (now.corrections ?? []).map(toWireCorrection),
  };
}

/** The same for a plan that is over: the work is a plan that refers to it. */
export function toWireContinued(
  before: Plan,
  made: Plan | undefined,
  text: string,
): ResultOf<"_cleveragents/plan/correct"> {
  const root = before.decisions[0]?.decisionId ?? "";
  return {
    ...toWireStage(before),
    dry_run: made === undefined,
    correction: { ...APPENDED, corrects: root, appended_after: root, attempt: before.attempt },
    append_detail: {
      ...appendDetail(text),
      note: "The plan is over and stays as it is; what is added is a plan that refers to it",
    },
    queued: compact({ new_child: made?.planId }),
    affected_subtree: {
      decisions_invalidated: [],
      child_plans_rolled_back: [],
      steps_undone: 0,
      unaffected_decisions: before.decisions.filter(stands).map(toDecisionRef),
    },
    sandbox_rollback: { checkpoint: "start", files_reverted: [], status: "none" },
    tool_calls: { sandboxed: 0, compensable: 0, irreversible: 0 },
    warnings: [],
    recompute: { queued: made !== undefined, from: "strategize" },
    history: (before.corrections ?? []).map(toWireCorrection),
  };
}

const APPENDED = { mode: "append", impact: "0 decisions, 1 child plan, 0 files" } as const;

function appendDetail(text: string) {
  return {
    original_decision_preserved: true,
    existing_artifacts_kept: true,
    additional_work: text,
    note: "Nothing is undone: the work begins on what the plan has made so far",
  };
}

export function toWireRolledBack(rolled: RolledBack): ResultOf<"_cleveragents/plan/rollback"> {
  const { plan, now, to, undone, steps, calls, files, warnings, correction, checkpoints } = rolled;
  const stage = toWireStage(now);
  const told = files?.map(({ path, action }) => ({ file: path, action })) ?? [];
  return {
    ...stage,
    context_id: plan.contextId,
    rollback_summary: {
      plan: plan.planId,
      project: plan.project.name,
      checkpoint: to.checkpoint,
      label: to.label,
      files_reverted: correction?.files?.total ?? told.length,
    },
    changes_reverted: told,
    impact: {
      child_plans_invalidated: [...rolled.children],
      decisions_after_cp: undone.map(({ decisionId }) => decisionId),
      steps_undone: steps,
      tool_calls_after_cp: { ...calls },
      warnings: [...warnings],
    },
    post_rollback_state: {
      phase: stage.phase,
      state: stage.state,
      checkpoints_remaining: checkpoints.length,
    },
    checkpoints: checkpoints.map(({ checkpoint, label }) => ({ checkpoint, label })),
    dry_run: correction === undefined,
    next_steps: [`agents plan execute ${plan.planId}`, `agents plan cancel ${plan.planId}`],
  };
}

function toWireCorrection({
  correctionId,
  kind,
  target,
  decisionId,
  text,
  attempt,
  at,
  refused,
}: Correction): ResultOf<"_cleveragents/plan/correct">["history"][number] {
  return {
    id: correctionId,
    kind,
    guidance: text,
    attempt,
    at: iso(at),
    ...compact({ corrects: target, decision: decisionId, refused }),
  };
}

function many(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** As they were when the decision was taken: texts, or objects with one. */
function invariantsIn(context: JsonObject): Explained["invariants_considered"] {
  const { invariants } = context;
  return Array.isArray(invariants) ? invariants.flatMap(invariantIn) : [];
}

function invariantIn(value: JsonValue): Explained["invariants_considered"] {
  if (typeof value === "string") return [{ text: value }];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const { id, text } = value;
  return typeof text === "string" ? [{ text, ...(typeof id === "string" ? { id } : {}) }] : [];
}
