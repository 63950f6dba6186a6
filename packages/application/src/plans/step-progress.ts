import type { JsonObject, Plan, PlanStep } from "@cleveragents/domain";
import type { Sandbox } from "../ports/workspace.ts";
import type { NamedEvent } from "./plan-writer.ts";
import type { Turn } from "./turn.ts";

/** The tree in front of a step: of the newest step before it that left one, else what the plan started from. */
export function checkpointBefore(plan: Plan, step: PlanStep, sandbox: Sandbox): string {
  const before = plan.steps.filter(
    (candidate) => candidate.index < step.index && candidate.checkpoint !== undefined,
  );
  return before.at(-1)?.checkpoint ?? sandbox.baseTree;
}

export function withStep(plan: Plan, step: PlanStep): Plan {
  return {
    ...plan,
    steps: plan.steps.map((candidate) => (candidate.index === step.index ? step : candidate)),
  };
}

/** The copy is back at what it was before the step. */
export function restoredEvent(plan: Plan, step: PlanStep): NamedEvent {
  return {
    key: `a${plan.attempt}:step:${step.index}:try:${step.tries ?? 1}:restored`,
    name: "checkpoint.restored",
    data: { step: step.index, label: step.label },
  };
}

export function startEvent(plan: Plan, step: PlanStep): NamedEvent {
  return {
    key: `a${plan.attempt}:step:${step.index}:try:${step.tries ?? 1}:started`,
    name: "step.started",
    data: {
      index: step.index,
      label: step.label,
      kind: step.kind,
      total: plan.steps.length,
      ...decisionsOf(step),
    },
  };
}

/** So that the log says which decision a step was for, also when the decision no longer stands. */
function decisionsOf({ decisions }: PlanStep): JsonObject {
  return decisions === undefined ? {} : { decisions: [...decisions] };
}

export async function finishStep(
  turn: Turn,
  plan: Plan,
  step: PlanStep,
  before: readonly NamedEvent[] = [],
  take: readonly string[] = [],
): Promise<void> {
  const { index, label, status, detail } = step;
  await turn.writer.write(
    withStep(plan, step),
    "working",
    [
      ...before,
      {
        key: `a${plan.attempt}:step:${index}:finished`,
        name: "step.finished",
        data: { index, label, status, ...(detail === undefined ? {} : { detail }), ...decisionsOf(step) },
      },
    ],
    take.length === 0 ? {} : { inbox: { take } },
  );
}
