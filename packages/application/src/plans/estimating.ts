import type { Estimate, Plan } from "@cleveragents/domain";
import type { TaskStore } from "../ports/task-store.ts";
import { planOf } from "./plan-document.ts";
import type { NamedEvent } from "./plan-writer.ts";
import { toolOfStep } from "./script-steps.ts";

/** Earlier plans that are looked at, newest first. */
const REMEMBERED = 50;
/** Of a repeated number of calls at most so many are counted apart. */
const PLACES = 1000;

/**
 * What a plan will take, by what its script says and what earlier plans of its action have taken. It is for people:
 * nothing is decided by it, and what nobody knows is absent.
 */
export async function estimate(store: Pick<TaskStore, "list">, plan: Plan): Promise<Estimate> {
  const { rows } = await store.list({
    principal: plan.principal,
    kind: "plan",
    states: ["completed"],
    limit: REMEMBERED,
  });
  const used = rows
    .map(planOf)
    .filter(({ action, planId }) => action === plan.action && planId !== plan.planId)
    .flatMap(({ guarding }) => guarding?.spending.used ?? []);
  const calls = plan.script.steps.filter((step) => toolOfStep(step) !== undefined);
  const surely = calls.filter(({ when }) => when === undefined).length;
  const range = (kind: "seconds" | "tokens" | "cost_usd") => {
    const amounts = used.flatMap((amount) => (amount[kind] === undefined ? [] : [amount[kind]]));
    if (amounts.length === 0) return {};
    return { [kind]: { min: rounded(Math.min(...amounts)), max: rounded(Math.max(...amounts)) } };
  };
  const deletions = plan.script.steps.filter(({ kind }) => kind === "delete").length;
  const commands = plan.script.steps.filter(({ kind }) => kind === "run").length;
  return {
    steps: plan.script.steps.length,
    toolCalls: { min: surely, max: calls.length },
    checks: (plan.checks ?? []).filter(({ probe }) => probe !== undefined).length,
    childPlans: 0,
    risk: commands > 0 ? "medium" : deletions > 0 ? "medium" : "low",
    basedOn: used.length,
    ...range("seconds"),
    ...range("tokens"),
    ...range("cost_usd"),
  };
}

export function estimatedEvent(plan: Plan, made: Estimate): NamedEvent {
  const { toolCalls, childPlans, basedOn, ...rest } = made;
  return {
    key: `a${plan.attempt}:estimated`,
    name: "plan.estimated",
    data: { ...rest, tool_calls: { ...toolCalls }, child_plans: childPlans, based_on: basedOn },
  };
}

function rounded(value: number): number {
  return Math.round(value * PLACES) / PLACES;
}
