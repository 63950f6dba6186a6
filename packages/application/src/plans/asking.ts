import type { AskRequest, Plan } from "@cleveragents/domain";
import { WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import { askMessage } from "../wire/ask.ts";
import { askData } from "./gates.ts";
import type { Also, NamedEvent } from "./plan-writer.ts";
import type { PlanDeps, Turn } from "./turn.ts";

/**
 * Puts a question to the human: the plan waits at INPUT_REQUIRED, or at AUTH_REQUIRED where a credential is wanted, until
 * the request has its answer. `before` are events that belong to the same commit, `take` entries of the inbox that are done with.
 */
export async function ask(
  deps: Pick<PlanDeps, "clock" | "ids" | "failPoint">,
  turn: Pick<Turn, "writer">,
  plan: Plan,
  draft: Omit<AskRequest, "requestId" | "createdAt" | "planId">,
  before: readonly NamedEvent[] = [],
  take: readonly string[] = [],
  also: Pick<Also, "logged"> = {},
): Promise<"wait"> {
  const request: AskRequest = {
    ...draft,
    requestId: deps.ids.next(),
    planId: plan.planId,
    createdAt: deps.clock.now(),
  };
  const message = askMessage(request, deps.ids.next(), plan.contextId);
  await turn.writer.write(
    { ...plan, open: request },
    draft.credential === true ? "auth-required" : "input-required",
    [
      // The one event at that state is the one that says what is asked: streams of a send end there.
      ...before.map((event): NamedEvent => ({ ...event, state: "working" })),
      { key: `ask:${request.requestId}`, name: "ask.opened", data: askData(request), message },
    ],
    { ...also, ...(take.length === 0 ? {} : { inbox: { take } }) },
  );
  if (WITH_FAIL_POINTS) deps.failPoint?.("plan.asked");
  return "wait";
}
