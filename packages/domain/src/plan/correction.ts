import { appendedStanding } from "./appended.ts";
import type { Decision } from "./decision.ts";
import { downstreamOf, stands } from "./decision-tree.ts";
import type { Plan, PlanStep } from "./plan.ts";

/** Something that was decided, or done, was taken back by the user. Refused ones are kept, so that the log has a reason. */
export interface Correction {
  readonly correctionId: string;
  readonly messageId: string;
  readonly kind: "correct" | "rollback" | "append";
  /** The decision that was corrected. */
  readonly target?: string;
  /** The decision that the correction is; none where it was refused. */
  readonly decisionId?: string;
  readonly text: string;
  readonly by: string;
  /** Attempt that began with it. */
  readonly attempt: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly refused?: string;
  /** Paths whose content was put back, the first of them, and how many there were. */
  readonly files?: { readonly paths: readonly string[]; readonly total: number };
}

/** Where a plan begins anew: before a phase, or before a step of Execute. */
export interface Restart {
  readonly phase: "strategize" | "execute";
  /** The first step that is undone. */
  readonly step: number;
}

/** What was decided before anything was done is decided before anything is done again. */
export function restartBefore({ phase, step }: Decision): Restart {
  return phase === "strategize" ? { phase, step: 0 } : { phase, step: step ?? 0 };
}

/**
 * What no longer stands when a decision is corrected: itself, all that follows from it, and whatever the steps have decided
 * that are undone with it. What the plan was asked to do stays, and so do invariants and guidance about the whole plan.
 */
export function undoneWith(decisions: readonly Decision[], target: Decision): readonly Decision[] {
  const restart = restartBefore(target);
  const below = new Set(downstreamOf(decisions, target.decisionId).map(({ decisionId }) => decisionId));
  const root = decisions.find(({ parentId }) => parentId === null);
  const isRoot = target.decisionId === root?.decisionId;
  const direct = decisions.filter((decision) => {
    if (!stands(decision) || decision.decisionId === root?.decisionId) return false;
    if (decision.decisionId === target.decisionId) return true;
    if (decision.type === "invariant_enforced") return false;
    const general = decision.type === "user_intervention" && decision.parentId === root?.decisionId;
    if (general && isRoot) return false;
    return below.has(decision.decisionId) || isTakenByStep(decision, restart);
  });
  // What hangs on a decision of an undone step goes with it.
  const reached = new Set(direct.map(({ decisionId }) => decisionId));
  for (const { decisionId } of direct)
    for (const following of downstreamOf(decisions, decisionId))
      if (stands(following) && following.type !== "invariant_enforced") reached.add(following.decisionId);
  return decisions.filter(({ decisionId }) => reached.has(decisionId));
}

/** Decisions that steps have taken which are undone. */
export function undoneFrom(decisions: readonly Decision[], restart: Restart): readonly Decision[] {
  const reached = new Set<string>();
  for (const decision of decisions) {
    if (!stands(decision) || !isTakenByStep(decision, restart)) continue;
    reached.add(decision.decisionId);
    for (const following of downstreamOf(decisions, decision.decisionId))
      if (stands(following)) reached.add(following.decisionId);
  }
  return decisions.filter(({ decisionId }) => reached.has(decisionId));
}

/** Of a script's own decisions; what the user has said while it ran stays said. */
function isTakenByStep({ type, phase, step = 0 }: Decision, restart: Restart): boolean {
  return BY_STEPS.has(type) && phase === "execute" && step >= restart.step;
}

const BY_STEPS: ReadonlySet<Decision["type"]> = new Set([
  "implementation_choice",
  "subplan_spawn",
  "subplan_parallel_spawn",
]);

/** The steps that are undone: those that have begun, from the restart on. */
export function undoneSteps({ steps }: Pick<Plan, "steps">, { step }: Restart): readonly PlanStep[] {
  return steps.filter(({ index, status }) => index >= step && status !== "pending");
}

/**
 * The plan at its restart, as a new attempt: `undone` is superseded by `instead`, which is added and whose text becomes
 * guidance where it has one; guidance that went with what is undone is gone. Nothing else of the tree changes.
 */
export function takenBack(
  plan: Plan,
  restart: Restart,
  undone: readonly Decision[],
  instead: Decision,
  guidance: string | undefined,
): Plan {
  const gone = new Set(undone.map(({ decisionId }) => decisionId));
  const named = plan.script.steps.slice(0, restart.step);
  const names = new Set(named.flatMap(({ name }) => (name === undefined ? [] : [name])));
  const {
    open,
    failure,
    changeset,
    chosen,
    touched,
    confidence,
    queuedSince,
    chosenRepair,
    appended,
    ...rest
  } = plan;
  const decisions = [
    ...plan.decisions.map((decision) =>
      gone.has(decision.decisionId) ? { ...decision, supersededBy: instead.decisionId } : decision,
    ),
    instead,
  ];
  const left = appendedStanding({ appended: plan.appended ?? [] }, decisions);
  const kept = plan.steps.filter(({ addedBy }) => addedBy === undefined || !gone.has(addedBy));
  return {
    ...rest,
    ...(left === undefined ? {} : { appended: left }),
    stage: { phase: restart.phase, state: "queued" },
    attempt: plan.attempt + 1,
    reversions: (plan.reversions ?? 0) + 1,
    steps:
      restart.phase === "strategize"
        ? []
        : kept.map((step, index) => (step.index < restart.step ? step : reset({ ...step, index }))),
    results: Object.fromEntries(Object.entries(plan.results).filter(([name]) => names.has(name))),
    guidance: [...guidanceWithout(plan.guidance, undone), ...(guidance === undefined ? [] : [guidance])],
    decisions,
  };
}

function reset({ index, label, kind, addedBy, subplans }: PlanStep): PlanStep {
  // What a script says of a step is read again; of one that was added it stands here alone.
  const added = addedBy === undefined || subplans === undefined ? {} : { addedBy, subplans };
  return { index, label, kind, status: "pending", ...added };
}

function guidanceWithout(guidance: readonly string[], undone: readonly Decision[]): readonly string[] {
  const left = [...guidance];
  for (const { type, chosen } of undone) {
    const at = type === "user_intervention" ? left.indexOf(chosen) : -1;
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}
