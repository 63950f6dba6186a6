import {
  type ChildPlan,
  type Plan,
  type PlanFailure,
  type PlanStep,
  proceeds,
  profileOf,
} from "@cleveragents/domain";
import { confidenceOf } from "./assessing.ts";
import { decisionEvent, newDecision } from "./deciding.ts";
import { requeued, without } from "./plan-document.ts";
import type { NamedEvent } from "./plan-writer.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** What may be over a moment later, whatever is done: a want of processes or file handles, models that are busy, agents that are away. */
const TRANSIENT: ReadonlySet<string> = new Set([
  "COMMAND_NOT_STARTED",
  "TOO_MANY_OPEN_FILES",
  "TOO_MANY_PROCESSES",
  "MODEL_RATE_LIMITED",
  "MODEL_UNAVAILABLE",
  "MODEL_TIMEOUT",
  "REMOTE_UNAVAILABLE",
]);
/** Pauses before each try that a plan makes by itself. */
const PAUSES_MS = [1_000, 5_000, 20_000];

/** A new attempt from the step that failed; what is before it stays done. */
export function anew(plan: Plan, failure: PlanFailure | undefined): Plan {
  // `running` makes the step begin from the checkpoint before it.
  const steps = plan.steps.map(
    ({ index, label, kind, ...rest }): PlanStep =>
      index === failure?.step
        ? { index, label, kind, status: "running", ...withoutFailures(rest) }
        : { index, label, kind, ...rest },
  );
  // An apply that has failed is tried again with what was approved.
  const stopped =
    plan.stage.phase === "apply" ? without(plan, "failure") : without(plan, "failure", "changeset");
  return requeued({ ...stopped, attempt: plan.attempt + 1, steps });
}

/** What subplans of the step have done stays done; the others begin anew. */
function withoutFailures(step: Omit<PlanStep, "index" | "label" | "kind">): Partial<PlanStep> {
  const { children, subplans, tree, addedBy } = step;
  const added = addedBy === undefined || subplans === undefined ? {} : { addedBy, subplans };
  if (children === undefined || subplans === undefined || tree === undefined) return added;
  return {
    ...added,
    subplans,
    tree,
    ...(step.decisions === undefined ? {} : { decisions: step.decisions }),
    children: children.map((child): ChildPlan => {
      if (child.status === "complete") return child;
      const { name, action, planId, earlier = [] } = child;
      const before = [...earlier, ...(planId === undefined ? [] : [planId])];
      return {
        name,
        action,
        status: "pending",
        tries: 0,
        ...(before.length === 0 ? {} : { earlier: before }),
      };
    }),
  };
}

/**
 * Tries again what has failed for want of something that comes back, where the profile lets it (`modify_config`), after
 * a pause and a few times; undefined where it is for somebody to say. `errored` is the plan as it has stopped.
 */
export async function retryByItself(
  deps: PlanDeps,
  { writer }: Turn,
  errored: Plan,
  failure: PlanFailure,
  before: readonly NamedEvent[],
  take: readonly string[],
): Promise<TurnOutcome | undefined> {
  const done = errored.retries ?? 0;
  const pause = PAUSES_MS[done];
  if (pause === undefined || !TRANSIENT.has(failure.reason)) return undefined;
  const { value } = await confidenceOf(deps.store, errored);
  if (!proceeds(profileOf(errored), "modify_config", value)) return undefined;
  const again = { ...anew(errored, failure), retries: done + 1 };
  const decision = newDecision(deps, again, {
    type: "error_recovery",
    parentId: again.decisions[0]?.decisionId ?? null,
    question: "What is done about the failure?",
    chosen: "try again",
    rationale: `${failure.reason}: ${failure.message}`,
    phase: again.stage.phase === "strategize" ? "strategize" : "execute",
    context: { category: "transient", retry: done + 1, pause_ms: pause },
  });
  const { phase, state } = again.stage;
  await writer.write(
    { ...again, decisions: [...again.decisions, decision] },
    "working",
    [
      ...before,
      decisionEvent(decision),
      {
        key: `a${again.attempt}:${phase}:${state}`,
        name: "plan.phase_changed",
        data: { phase, state, attempt: again.attempt, retry: done + 1, pause_ms: pause },
      },
    ],
    take.length === 0 ? {} : { inbox: { take } },
  );
  return { until: deps.clock.now() + pause };
}
