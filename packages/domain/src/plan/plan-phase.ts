/** The life of a plan: phases, the states inside them, and what may follow what. */
export type PlanPhase = "strategize" | "execute" | "apply";
export type PlanState =
  | "queued"
  | "processing"
  | "complete"
  | "errored"
  | "constrained"
  | "applied"
  | "cancelled"
  | "rejected"
  | "failed";

export interface PlanStage {
  readonly phase: PlanPhase;
  readonly state: PlanState;
}

const FINAL: ReadonlySet<PlanState> = new Set<PlanState>(["applied", "cancelled", "rejected", "failed"]);

export function isFinalStage(stage: PlanStage): boolean {
  return FINAL.has(stage.state);
}

/** Moves inside a phase. `failed` is giving up on what has errored or is constrained. */
const STATES: Readonly<Record<PlanState, readonly PlanState[]>> = {
  queued: ["processing", "errored", "cancelled", "rejected"],
  processing: ["complete", "applied", "errored", "constrained", "cancelled"],
  complete: ["cancelled"],
  errored: ["failed", "cancelled"],
  constrained: ["failed", "cancelled"],
  applied: [],
  cancelled: [],
  rejected: [],
  failed: [],
};
/** What stopped and may be tried again, in the phase that it stopped in. */
const RETRY: ReadonlySet<PlanState> = new Set<PlanState>(["errored", "constrained"]);
/** Moves to another phase, by state of the present one. Going back (a reversion) has its own table. */
const FORWARD: Readonly<Record<PlanPhase, PlanPhase | undefined>> = {
  strategize: "execute",
  execute: "apply",
  apply: undefined,
};
const BACKWARD: Readonly<Record<PlanPhase, readonly PlanPhase[]>> = {
  strategize: ["strategize"],
  execute: ["strategize", "execute"],
  apply: ["strategize", "execute"],
};

/** How often a plan may be taken back; after that its action is used again. */
export const MAX_REVERSIONS = 5;

/** Whether a plan may go on from one stage to another; trying again is {@link canRetry}, going back {@link canRevert}. */
export function canAdvance(from: PlanStage, to: PlanStage): boolean {
  if (from.phase === to.phase) {
    if (to.state === "applied") return from.phase !== "strategize" && from.state === "processing";
    if (to.state === "constrained") return from.phase !== "strategize" && from.state === "processing";
    if (to.state === "rejected") return from.phase === "strategize" && from.state === "queued";
    if (to.state === "complete" && from.phase === "apply") return false;
    return STATES[from.state].includes(to.state);
  }
  return from.state === "complete" && FORWARD[from.phase] === to.phase && to.state === "queued";
}

/** Whether what has stopped may begin its phase once more. */
export function canRetry(from: PlanStage): boolean {
  return RETRY.has(from.state);
}

/** Whether an apply that wrote nothing may give the plan back to the gate that let it through. */
export function canReopen(from: PlanStage): boolean {
  return from.phase === "apply" && from.state === "processing";
}

/** Whether a plan may be taken back to the beginning of a phase: from anything that is not final or running. */
export function canRevert(from: PlanStage, to: PlanPhase): boolean {
  return !isFinalStage(from) && from.state !== "processing" && BACKWARD[from.phase].includes(to);
}

/** Why a plan may not be taken back; undefined where it may. */
export function reversionProblem(
  from: PlanStage,
  to: PlanPhase,
  reversions: number,
): "final" | "running" | "not begun" | "phase" | "limit" | undefined {
  if (isFinalStage(from)) return "final";
  if (from.state === "processing") return "running";
  if (from.phase === "strategize" && from.state === "queued") return "not begun";
  if (!canRevert(from, to)) return "phase";
  return reversions >= MAX_REVERSIONS ? "limit" : undefined;
}
