import {
  isInterrupted,
  MAX_REVERSIONS,
  type Plan,
  PlanStateError,
  reversionProblem,
} from "@cleveragents/domain";
import type { Principal } from "@cleveragents/protocol";
import type { AskService } from "../ask/ask-service.ts";
import { planOf } from "../plans/plan-document.ts";
import { revertChoice } from "../plans/reverting.ts";
import type { TaskStore } from "../ports/task-store.ts";
import { ownPlan } from "./access.ts";
import { endedWords } from "./ended-words.ts";
import { until } from "./waiting.ts";

interface RevertingDeps {
  readonly store: TaskStore;
  readonly asks: Pick<AskService, "answer">;
}

function reversionRefusal(plan: Plan, to: "strategize" | "execute"): string | undefined {
  if (plan.reverses !== undefined) return "it undoes another plan, and has no phases to go back to";
  switch (reversionProblem(plan.stage, to, plan.reversions ?? 0)) {
    case undefined:
      return undefined;
    case "final":
      return endedWords(plan);
    case "running":
      return plan.open === undefined
        ? "it can be taken back when it waits or has stopped; cancel it to end it now"
        : "it asks something in the middle of a step: answer that, or undo what it has done with plan correct or plan rollback";
    case "not begun":
      return "it has not begun";
    case "phase":
      return `there is no way back from ${plan.stage.phase} to ${to}`;
    case "limit":
      return `it was taken back ${MAX_REVERSIONS} times already; use the action again for a new plan`;
  }
}

/**
 * Takes a plan that waits for somebody back to the beginning of a phase, and waits until it is there. Throws
 * `PlanStateError` where that is not possible, or was done too often; another answer that came first stands.
 */
export async function revert(
  deps: RevertingDeps,
  principal: Principal,
  planId: string,
  request: { readonly to?: "strategize" | "execute" | undefined; readonly reason?: string | undefined },
  signal: AbortSignal,
): Promise<Plan> {
  const { row, plan } = await ownPlan(deps.store, principal, planId);
  const to = request.to ?? "strategize";
  const why = reversionRefusal(plan, to);
  if (why !== undefined) throw new PlanStateError(planId, plan.stage, why);
  const open = plan.open;
  if (open === undefined || !isInterrupted(row.state))
    throw new PlanStateError(planId, plan.stage, "it is about to go on; look at it again");
  const answer = { request: open, choice: revertChoice(to) };
  await deps.asks.answer(
    row,
    request.reason === undefined ? answer : { ...answer, text: request.reason },
    principal.id,
  );
  const taken = await until(
    deps.store,
    planId,
    signal,
    (now) => planOf(now).open?.requestId !== open.requestId,
  );
  return taken === undefined ? plan : planOf(taken);
}
