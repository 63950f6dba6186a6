import {
  type ChildPlan,
  isInterrupted,
  isTerminal,
  type Plan,
  type PlanStep,
  type Subplan,
  type Subplans,
} from "@cleveragents/domain";
import { WITH_FAIL_POINTS } from "../../ports/fail-point.ts";
import { planOf } from "../plan-document.ts";
import type { PlanDeps } from "../turn.ts";
import { ChildRefusedError } from "./child-plans.ts";

/** Characters of what a child has said that its parent keeps. */
const LONGEST_SAID = 4000;

/** How the children stand now; one that was to be started and is not there is made. */
export async function look(
  deps: PlanDeps,
  plan: Plan,
  step: PlanStep,
  value: Subplans,
): Promise<readonly ChildPlan[]> {
  const looked: ChildPlan[] = [];
  for (const child of step.children ?? [])
    looked.push(child.status === "running" ? await lookAt(deps, plan, step, value, child) : child);
  return looked;
}

async function lookAt(
  deps: PlanDeps,
  plan: Plan,
  step: PlanStep,
  value: Subplans,
  child: ChildPlan,
): Promise<ChildPlan> {
  const { planId = "", base = "" } = child;
  const row = await deps.store.load(planId);
  const { asks, ...rest } = child;
  if (row === undefined) {
    const spec = value.plans.find(({ id }) => id === child.name) as Subplan; // children were listed from these
    const timeout = value.timeout_per_subplan_seconds;
    const deadlines = [plan.deadline, timeout === undefined ? undefined : deps.clock.now() + timeout * 1000];
    const known = deadlines.filter((deadline) => deadline !== undefined);
    try {
      await deps.children?.make({
        parent: plan,
        step: step.index,
        child: { ...child, planId, base },
        spec,
        deadline: known.length === 0 ? undefined : Math.min(...known),
      });
      if (WITH_FAIL_POINTS) deps.failPoint?.("plan.child.made");
      return rest;
    } catch (error) {
      if (!(error instanceof ChildRefusedError)) throw error;
      // It would be refused again.
      return { ...rest, status: "failed", detail: error.message, tries: value.max_retries };
    }
  }
  const its = planOf(row);
  if (!isTerminal(row.state))
    return isInterrupted(row.state) && its.open !== undefined
      ? { ...rest, asks: { requestId: its.open.requestId, prompt: its.open.prompt } }
      : rest;
  const said = its.conversations?.execution?.finished?.summary;
  if (row.state === "completed")
    return {
      ...rest,
      status: "complete",
      tree: its.handedOver ?? base,
      ...(said === undefined ? {} : { said: said.slice(0, LONGEST_SAID) }),
    };
  const detail = its.failure?.message ?? its.cancelReason;
  return {
    ...rest,
    status: row.state === "canceled" ? "cancelled" : "failed",
    ...(detail === undefined ? {} : { detail }),
  };
}
