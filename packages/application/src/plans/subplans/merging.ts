import {
  type ChildPlan,
  nextToMerge,
  type Plan,
  type PlanStep,
  type Subplans,
  sideOf,
} from "@cleveragents/domain";
import { WITH_FAIL_POINTS } from "../../ports/fail-point.ts";
import type { Sandbox } from "../../ports/workspace.ts";
import type { PlanDeps } from "../turn.ts";

/**
 * Merges the results that are due, in the order of the step, until one does not go together with what is there and
 * somebody has to say what becomes of it. The copy itself stays as it is: trees alone are made, and made again the same.
 */
export async function mergeNext(
  deps: Pick<PlanDeps, "workspace" | "failPoint">,
  plan: Plan,
  sandbox: Sandbox,
  step: PlanStep,
  { merge_strategy }: Subplans,
): Promise<PlanStep> {
  let now = step;
  for (;;) {
    const child = nextToMerge(now.children ?? []);
    if (child === undefined) return now;
    const { base = sandbox.baseTree, tree: theirs = base } = child;
    const ours = now.tree ?? sandbox.baseTree;
    const side = sideOf(child, merge_strategy);
    const merged = await deps.workspace.merge(sandbox, plan.planId, { base, ours, theirs, side });
    if (WITH_FAIL_POINTS) deps.failPoint?.("plan.child.merged");
    const { conflicts } = merged;
    if (conflicts.length === 0) {
      now = { ...withChild(now, { ...child, merged: true }), tree: merged.tree };
      continue;
    }
    const files = conflicts.map(({ path, why }) => `${path}: ${why}`).join("; ");
    if (merge_strategy === "fail_on_conflict") {
      now = withChild(now, {
        ...child,
        status: "failed",
        detail: `it does not go together with the plan: ${files}`,
      });
      continue;
    }
    return withChild(now, { ...child, conflicts });
  }
}

export function withChild(step: PlanStep, child: ChildPlan): PlanStep {
  const children = (step.children ?? []).map((known) => (known.name === child.name ? child : known));
  return { ...step, children };
}
