import type { FlatGraph, GraphNeed, GraphRun, Plan, PlanStep } from "@cleveragents/domain";
import { hangsOn } from "./executor.ts";
import { withNeed, withRun } from "./graph-node.ts";

/** What a graph has begun and is still waited for: the node, its plan, and the run that it is of. */
export interface Pursued {
  readonly graph: FlatGraph;
  readonly run: GraphRun;
  readonly need: GraphNeed;
}

/** The plan with one step more, which is the node's. */
export function withNewStep(
  plan: Plan,
  run: GraphRun,
  need: GraphNeed,
  { kind, label }: Pick<PlanStep, "kind" | "label">,
): Plan {
  const index = plan.steps.length;
  const step: PlanStep = {
    index,
    kind,
    label: label.slice(0, 200),
    status: "pending",
    decisions: hangsOn(plan),
  };
  const steps = [...plan.steps, step];
  return withRun({ ...plan, steps }, "execution", withNeed(run, { ...need, step: index }));
}
