import { canAdvance, canRetry, type JsonObject, type Plan, type PlanStage } from "@cleveragents/domain";
import type { TaskRow } from "../ports/task-store.ts";

/** The plan that a task row carries. */
export function planOf(row: TaskRow): Plan {
  return row.document as unknown as Plan; // written by documentOf alone
}

export function documentOf(plan: Plan): JsonObject {
  return plan as unknown as JsonObject; // a Plan is plain JSON data
}

/** Whether a plan is carried out by this host; one that names none is. */
export function isHere(plan: Plan, host: string | undefined): boolean {
  return plan.host === undefined || plan.host === host;
}

/** The plan at its next stage. A move that the table does not know is a bug of ours, never a user's error. */
export function moved(plan: Plan, ...stages: readonly PlanStage[]): Plan {
  let at = plan.stage;
  for (const stage of stages) {
    if (!canAdvance(at, stage))
      throw new Error(`no way from ${at.phase}/${at.state} to ${stage.phase}/${stage.state}`);
    at = stage;
  }
  return { ...plan, stage: at };
}

/** The plan at the beginning of the phase that it stopped in. */
export function requeued(plan: Plan): Plan {
  const { phase, state } = plan.stage;
  if (!canRetry(plan.stage)) throw new Error(`${phase}/${state} is not tried again`);
  return { ...plan, stage: { phase, state: "queued" } };
}

/** The plan without members that are optional and named. */
export function without<
  K extends
    | "open"
    | "failure"
    | "changeset"
    | "chosen"
    | "queuedSince"
    | "touched"
    | "confidence"
    | "chosenRepair"
    | "estimate"
    | "sandbox",
>(plan: Plan, ...keys: readonly K[]): Plan {
  const copy: Record<string, unknown> = { ...plan };
  for (const key of keys) delete copy[key];
  return copy as unknown as Plan;
}
