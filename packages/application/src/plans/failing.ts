import { isFinalStage, type Plan, type PlanFailure } from "@cleveragents/domain";
import { ask } from "./asking.ts";
import { retryAsk } from "./gates.ts";
import { moved } from "./plan-document.ts";
import type { NamedEvent } from "./plan-writer.ts";
import { retryByItself } from "./retrying.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** A plan that cannot go on by itself: it asks whether to try again, or ends as failed where that makes no sense. */
export async function fail(
  deps: PlanDeps,
  turn: Turn,
  plan: Plan,
  failure: PlanFailure,
  take: readonly string[] = [],
  before: readonly NamedEvent[] = [],
): Promise<TurnOutcome> {
  const errored = isFinalStage(plan.stage)
    ? plan
    : moved(plan, { phase: plan.stage.phase, state: "errored" });
  const event: NamedEvent = {
    key: `a${plan.attempt}:errored:${failure.step ?? plan.stage.phase}`,
    name: "plan.errored",
    data: { reason: failure.reason, message: failure.message, recoverable: failure.recoverable },
  };
  if (failure.recoverable && !isFinalStage(plan.stage)) {
    const retried = await retryByItself(deps, turn, errored, failure, [...before, event], take);
    if (retried !== undefined) return retried;
  }
  // Whether a plan that is part of another one is tried again is for that one to say.
  if (failure.recoverable && plan.parent === undefined)
    return ask(deps, turn, { ...errored, failure }, retryAsk(failure), [...before, event], take);
  return giveUp(deps, turn, { ...errored, failure }, [...before, event], take);
}

export async function giveUp(
  deps: PlanDeps,
  turn: Turn,
  plan: Plan,
  before: readonly NamedEvent[] = [],
  take: readonly string[] = [],
): Promise<"done"> {
  const failed = {
    ...moved(plan, { phase: plan.stage.phase, state: "failed" }),
    finishedAt: deps.clock.now(),
  };
  const text = plan.failure?.message ?? "The plan was given up";
  await turn.writer.write(
    failed,
    "failed",
    [
      ...before.map((event): NamedEvent => ({ ...event, state: "working" })),
      {
        key: "failed",
        name: "plan.state_changed",
        data: { phase: failed.stage.phase, state: "failed" },
        message: {
          messageId: deps.ids.next(),
          role: "agent",
          taskId: plan.planId,
          contextId: plan.contextId,
          parts: [{ kind: "text", text }],
        },
      },
    ],
    take.length === 0 ? {} : { inbox: { take } },
  );
  return "done";
}
