import type { BudgetBreach, JsonObject, Message, RemotePlace } from "@cleveragents/domain";
import {
  type MessageActor,
  type MessageTurn,
  TurnCancelledError,
  type TurnEnd,
  type TurnLog,
} from "../ports/message-actor.ts";
import { type RemoteActor, type RemoteAgent, RemoteAgentError } from "../ports/remote-agent.ts";
import { whereToPut } from "./credential-place.ts";
import { budgetWords } from "./paying.ts";
import { type RemoteAnswer, RemoteAnswerBuilder } from "./remote-answer.ts";
import { followed } from "./remote-following.ts";
import { placeBefore, placeOf, REMOTE_PLACE, toSay } from "./remote-place.ts";
import { failureOf, type RemoteDeps, stopped } from "./remote-turn.ts";

/** How many agents a message has come through. */
const HOPS = "urn:cleveragents:extensions:hops:v1";
/** Agents that hand a message on to each other in a circle stop here. */
const MOST_HOPS = 4;
/** How long is looked for work that is to be stopped. */
const FIND_MS = 5000;

/** Answers messages with what somebody elsewhere says to them, as it comes. */
export class RemoteMessageActor implements MessageActor {
  readonly #remote: RemoteDeps;
  readonly #actor: RemoteActor;

  constructor(remote: RemoteDeps, actor: RemoteActor) {
    this.#remote = remote;
    this.#actor = actor;
  }

  async run(turn: MessageTurn, log: TurnLog): Promise<TurnEnd> {
    const hops = hopsOf(turn.message) + 1;
    if (hops > MOST_HOPS) {
      const text = `The message has come through ${hops - 1} agents, which hand it on to each other in a circle.`;
      return { state: "rejected", parts: [{ kind: "text", text }] };
    }
    const late = AbortSignal.timeout(this.#actor.limits.answer * 1000);
    const signal = AbortSignal.any([turn.signal, late]);
    const work: UnderWay = {};
    try {
      work.agent = await this.#remote.agents.open(this.#actor, signal);
      const answer = await this.#answer(turn, log, hops, signal, work, work.agent);
      return endOf(this.#actor, answer, work.place);
    } catch (error) {
      const { place } = work;
      const isOver = turn.signal.aborted ? turn.signal.reason instanceof TurnCancelledError : late.aborted;
      if (isOver) await stopUnderWay(work);
      turn.signal.throwIfAborted();
      if (error instanceof BudgetUsedUpError) {
        const { text, metadata } = budgetWords(error.breach, `${this.#actor.name} was not asked`);
        return { state: "failed", parts: [{ kind: "text", text }], metadata };
      }
      // What surely did not arrive has cost nothing.
      if (error instanceof RemoteAgentError && error.unsent) await turn.budget?.settle({});
      const { reason, message } = late.aborted
        ? {
            reason: "REMOTE_TIMEOUT",
            message: `${this.#actor.name} has not answered in time (limits.answer)`,
          }
        : failureOf(this.#actor, error);
      if (reason === "REMOTE_AUTHENTICATION") return authRequired(this.#actor, message, place);
      return { state: "failed", parts: [{ kind: "text", text: message }], metadata: { reason } };
    }
  }

  async #answer(
    turn: MessageTurn,
    log: TurnLog,
    hops: number,
    signal: AbortSignal,
    work: UnderWay,
    agent: RemoteAgent,
  ): Promise<RemoteAnswer> {
    const before = await placeBefore(turn);
    const { waits } = before;
    const messageId = `${turn.taskId}-${turn.turn}`;
    // What was sent before the process died is asked after; where nobody can say, it is the same message again.
    const known =
      waits === "work" ? before : turn.attempt > 1 ? await agent.find(messageId, before, signal) : "nothing";
    if (typeof known === "string") {
      const breach = await turn.budget?.reserve({ tool_calls: 1 });
      if (breach !== undefined) throw new BudgetUsedUpError(breach);
    }
    const said = {
      messageId,
      parts: toSay(turn).parts,
      place: placeOf(before),
      hops,
      ...(before.taskId === undefined || waits !== undefined ? {} : { answers: true }),
      acceptedOutputModes: turn.acceptedOutputModes,
    };
    if (typeof known === "object") work.place = placeOf(known);
    work.sent = { messageId, place: placeOf(before) };
    const begun = typeof known === "object" ? { place: placeOf(known) } : { stream: agent.say(said, signal) };
    const builder = new RemoteAnswerBuilder(this.#actor.limits);
    for await (const update of followed(agent, begun, signal)) {
      builder.add(update);
      if (update.kind === "taken") work.place = update.place;
      if (update.kind === "artifact")
        await log.artifact({ artifact: update.artifact, append: update.append });
      if (update.kind === "progress") await log.status("working", update.parts);
      if (update.kind !== "rest") continue;
      await turn.budget?.settle({ tool_calls: 1 });
      return builder.end(update);
    }
    throw new RemoteAgentError("REMOTE_BAD_RESPONSE", "it has ended without a word");
  }
}

/** What is known of a turn while it lasts. */
interface UnderWay {
  agent?: RemoteAgent;
  /** It may have arrived over there. */
  sent?: { readonly messageId: string; readonly place: RemotePlace };
  place?: RemotePlace;
}

/** What was handed over a moment ago, and has not been heard of, is looked for. */
async function stopUnderWay({ agent, sent, place }: UnderWay): Promise<void> {
  if (agent === undefined || sent === undefined) return;
  const found =
    place ??
    (await agent.find(sent.messageId, sent.place, AbortSignal.timeout(FIND_MS)).catch(() => undefined)); // it ends by itself
  if (typeof found === "object" && found.taskId !== undefined) await stopped(agent, found);
}

class BudgetUsedUpError extends Error {
  override readonly name = "BudgetUsedUpError";
  readonly breach: BudgetBreach;
  constructor(breach: BudgetBreach) {
    super(`${breach.kind} are used up`);
    this.breach = breach;
  }
}

/** Nothing was said, or what was said could not be followed: the next message in the task goes on with that. */
function authRequired(actor: RemoteActor, message: string, place: RemotePlace | undefined): TurnEnd {
  const text = `${message}. ${whereToPut(actor)}. Then say so in this task, and it goes on.`;
  const kept: JsonObject = {
    waits: place?.taskId === undefined ? "message" : "work",
    ...(place?.contextId === undefined ? {} : { context_id: place.contextId }),
    ...(place?.taskId === undefined ? {} : { task_id: place.taskId }),
  };
  return {
    state: "auth-required",
    parts: [{ kind: "text", text }],
    metadata: { reason: "REMOTE_AUTHENTICATION", [REMOTE_PLACE]: kept },
  };
}

const ENDS = {
  completed: "completed",
  failed: "failed",
  canceled: "failed",
  rejected: "rejected",
  "input-required": "input-required",
  "auth-required": "auth-required",
} as const;
const WORDLESS = {
  completed: undefined,
  failed: "has failed without a word.",
  canceled: "has cancelled it.",
  rejected: "has refused without a word.",
  "input-required": "waits for an answer.",
  "auth-required": "wants to know who is asking.",
} as const;

function endOf(
  { name }: RemoteActor,
  { state, parts, artifacts }: RemoteAnswer,
  place: RemotePlace = {},
): TurnEnd {
  const words = WORDLESS[state];
  const said =
    parts.length > 0
      ? parts
      : words !== undefined
        ? [{ kind: "text" as const, text: `${name} ${words}` }]
        : artifacts.length > 0
          ? undefined
          : [{ kind: "text" as const, text: "(nothing was said)" }];
  // Work that is over takes nothing more; what it was about goes on.
  const goesOn = state === "input-required" || state === "auth-required";
  const kept: JsonObject = {
    ...(place.contextId === undefined ? {} : { context_id: place.contextId }),
    ...(goesOn && place.taskId !== undefined ? { task_id: place.taskId } : {}),
  };
  return {
    state: ENDS[state],
    // Where it goes on from is said with the answer, so that there has to be one.
    parts: said ?? artifacts.flatMap((artifact) => artifact.parts).filter(({ kind }) => kind === "text"),
    ...(Object.keys(kept).length === 0 ? {} : { metadata: { [REMOTE_PLACE]: kept } }),
  };
}

function hopsOf({ metadata }: Message): number {
  const hops = metadata?.[HOPS];
  return typeof hops === "number" && hops > 0 ? Math.floor(hops) : 0;
}
