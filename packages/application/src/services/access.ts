import { type Plan, PlanNotFoundError, TaskNotFoundError } from "@cleveragents/domain";
import type { Principal } from "@cleveragents/protocol";
import { planOf } from "../plans/plan-document.ts";
import type { TaskRow, TaskStore } from "../ports/task-store.ts";

export interface PlanView {
  readonly row: TaskRow;
  readonly plan: Plan;
}

/** The one place where ownership is decided: what belongs to somebody else is not there. */
export function mayUse(principal: Principal, owner: { readonly principal: string }): boolean {
  return owner.principal === principal.id;
}

/** Throws `TaskNotFoundError` for unknown and foreign tasks alike. */
export async function ownTask(
  store: Pick<TaskStore, "load">,
  principal: Principal,
  taskId: string,
): Promise<TaskRow> {
  const row = await store.load(taskId);
  if (row === undefined || !mayUse(principal, row)) throw new TaskNotFoundError(taskId);
  return row;
}

/** Throws `PlanNotFoundError` for unknown, foreign and other tasks alike. */
export async function ownPlan(
  store: Pick<TaskStore, "load">,
  principal: Principal,
  planId: string,
): Promise<PlanView> {
  const row = await store.load(planId);
  if (row === undefined || !mayUse(principal, row) || row.kind !== "plan")
    throw new PlanNotFoundError(planId);
  return { row, plan: planOf(row) };
}
