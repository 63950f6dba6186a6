import {
  type AskRequest,
  type Decision,
  FencedError,
  isFinalStage,
  isInterrupted,
  type Message,
  type Plan,
  PlanStateError,
} from "@cleveragents/domain";
import { type Principal, ProtocolError } from "@cleveragents/protocol";
import { GUIDANCE, type GuidanceBody } from "../plans/taking-guidance.ts";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import { type Command, MessageSeenError, type TaskRow, type TaskStore } from "../ports/task-store.ts";
import { askMessage } from "../wire/ask.ts";
import { ownPlan } from "./access.ts";
import { decisionNamed } from "./plan-decisions.ts";

export interface GuidanceDeps {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  /** Wakes the plan's worker; a hint. */
  readonly wake: (planId: string) => Promise<void>;
}

export interface GuidanceRequest {
  readonly text: string;
  /** The decision that it is about: an id, or the name in the script. */
  readonly decision?: string | undefined;
  /** The same one again is the same guidance. */
  readonly messageId?: string | undefined;
}

export interface GivenGuidance {
  readonly plan: Plan;
  readonly decisionId: string;
  readonly parent: Decision | undefined;
  readonly text: string;
  /** Guidance that the plan has not taken yet, this one included. */
  readonly pending: number;
  /** The plan had stopped at an error, and tries again because of this. */
  readonly retries: boolean;
  readonly already: boolean;
}

/**
 * Puts guidance into a plan's inbox and its log, in one commit. A plan that has stopped at an error tries again with it;
 * one that waits for something else takes it when it goes on. Throws `PlanStateError` once nothing can come of it.
 */
export async function giveGuidance(
  deps: GuidanceDeps,
  principal: Principal,
  planId: string,
  request: GuidanceRequest,
): Promise<GivenGuidance> {
  for (;;) {
    const { row, plan } = await ownPlan(deps.store, principal, planId);
    const messageId = request.messageId ?? deps.ids.next();
    const before = request.messageId === undefined ? undefined : await givenBefore(deps, row, plan, request);
    if (before !== undefined) return before;
    assertTakesGuidance(plan);
    const parent = request.decision === undefined ? plan.decisions[0] : decisionNamed(plan, request.decision);
    const decisionId = deps.ids.next();
    const retries = isInterrupted(row.state) && triesAgain(plan.open) ? plan.open : undefined;
    try {
      await deps.store.commit(
        guidanceCommand(deps, { row, plan, text: request.text, messageId, decisionId, parent, retries }),
      );
    } catch (error) {
      // It has gone on, or somebody has answered it: whether it still takes guidance is looked at anew.
      if (error instanceof FencedError) continue;
      if (error instanceof MessageSeenError && error.taskId === row.taskId) continue;
      throw error instanceof MessageSeenError ? usedElsewhere() : error;
    }
    // One that waits takes it when it goes on.
    if (!isInterrupted(row.state) || retries !== undefined) await deps.wake(row.taskId);
    const pending = (await deps.store.inbox(row.taskId)).filter(({ key }) => key.startsWith(GUIDANCE)).length;
    const { text } = request;
    return { plan, decisionId, parent, text, pending, retries: retries !== undefined, already: false };
  }
}

function triesAgain(open: AskRequest | undefined): boolean {
  return open?.kind === "retry" && open.options.some(({ id }) => id === "retry");
}

function assertTakesGuidance({ planId, stage }: Plan): void {
  const refuse = (why: string) => new PlanStateError(planId, stage, why);
  if (isFinalStage(stage))
    throw refuse(`it is ${stage.state} for good and takes no more guidance; use the action again`);
  if (stage.phase === "apply" && stage.state !== "errored")
    throw refuse("its changes are being applied, and guidance would change nothing any more");
}

/** What was answered when the message came for the first time. */
async function givenBefore(
  { store }: GuidanceDeps,
  row: TaskRow,
  plan: Plan,
  { messageId = "", text }: GuidanceRequest,
): Promise<GivenGuidance | undefined> {
  const seen = await store.taskOfMessage(row.principal, messageId);
  if (seen === undefined) return undefined;
  if (seen !== row.taskId) throw usedElsewhere();
  const waiting = (await store.inbox(row.taskId)).filter(({ key }) => key.startsWith(GUIDANCE));
  const body = waiting.find(({ key }) => key === `${GUIDANCE}${messageId}`)?.body as GuidanceBody | undefined;
  const taken = plan.decisions.find(({ context }) => context["message"] === messageId);
  const decisionId = body?.decisionId ?? taken?.decisionId;
  if (decisionId === undefined) throw usedElsewhere();
  const parentId = body?.parentId ?? taken?.parentId;
  const parent = plan.decisions.find((known) => known.decisionId === parentId);
  return { plan, decisionId, parent, text, pending: waiting.length, retries: false, already: true };
}

function usedElsewhere(): ProtocolError {
  const description = "this id belongs to another message";
  return new ProtocolError("InvalidParams", { violations: [{ field: "message_id", description }] });
}

interface Guidance {
  readonly row: TaskRow;
  readonly plan: Plan;
  readonly text: string;
  readonly messageId: string;
  readonly decisionId: string;
  readonly parent: Decision | undefined;
  /** The request that this answers besides. */
  readonly retries: AskRequest | undefined;
}

function guidanceCommand(
  { clock, ids }: GuidanceDeps,
  { row, plan, text, messageId, decisionId, parent, retries }: Guidance,
): Command {
  const { taskId, contextId, principal, state } = row;
  const received: Message = { messageId, role: "user", taskId, contextId, parts: [{ kind: "text", text }] };
  const body: GuidanceBody = {
    text,
    decisionId,
    messageId,
    ...(parent === undefined ? {} : { parentId: parent.decisionId }),
  };
  const queued = { decision_id: decisionId, ...(parent === undefined ? {} : { parent: parent.decisionId }) };
  // The question stays what the task's status says while it is open.
  const asked =
    isInterrupted(state) && plan.open !== undefined && retries === undefined
      ? { message: askMessage(plan.open, ids.next(), contextId) }
      : {};
  const answer = retries && {
    key: `answer:${retries.requestId}`,
    body: { requestId: retries.requestId, choice: "retry", by: principal, at: clock.now() },
  };
  return {
    taskId,
    expect: { states: [state], ...(retries === undefined ? {} : { revision: row.revision }) },
    inbox: {
      add: [{ key: `${GUIDANCE}${messageId}`, body: { ...body } }, ...(answer === undefined ? [] : [answer])],
    },
    claimMessage: { principal, messageId },
    events: [
      {
        key: `${GUIDANCE}${messageId}`,
        event: {
          type: "status",
          state: retries === undefined ? state : "working",
          received,
          ...asked,
          domain: { name: "plan.guidance_queued", data: queued },
        },
      },
      ...(retries === undefined
        ? []
        : [
            {
              key: `answered:${retries.requestId}`,
              event: {
                type: "status" as const,
                state: "working" as const,
                domain: {
                  name: "ask.answered",
                  data: { request_id: retries.requestId, kind: retries.kind, choice: "retry" },
                },
              },
            },
          ]),
    ],
  };
}
