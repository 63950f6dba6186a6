import type { Part, Plan, PlanStep, TaskEvent } from "@cleveragents/domain";

/** What a call has brought besides its value, as an artifact of the plan; another try replaces it. */
export function partsEvent(
  plan: Plan,
  step: PlanStep,
  parts: readonly Part[],
): { readonly key: string; readonly event: TaskEvent } {
  return {
    key: `a${plan.attempt}:step:${step.index}:try:${step.tries ?? 1}:parts`,
    event: {
      type: "artifact",
      append: false,
      lastChunk: true,
      artifact: { artifactId: `step-${step.index}-parts`, name: `Result of ${step.label}`, parts },
    },
  };
}
