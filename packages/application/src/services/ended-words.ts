import type { Plan } from "@cleveragents/domain";

/** Why nothing more can be done with a plan that has ended, and what can be done instead. */
export function endedWords({ stage, failure }: Pick<Plan, "stage" | "failure">): string {
  const ended = stage.state === "rejected" || stage.state === "failed";
  const why = ended && failure !== undefined ? ` (${failure.message})` : "";
  return `it is ${stage.state} for good${why}; use the action again for a new plan`;
}
