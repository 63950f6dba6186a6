import { type Part, type RemotePlace, type RemoteSaid, textOf } from "@cleveragents/domain";
import { type FailPoint, WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import {
  type RemoteActor,
  type RemoteAgent,
  RemoteAgentError,
  type RemoteAgents,
  type RemoteReason,
  type RemoteUpdate,
} from "../ports/remote-agent.ts";
import { type RemoteAnswer, RemoteAnswerBuilder } from "./remote-answer.ts";
import { followed } from "./remote-following.ts";

/** How long it is tried to stop work elsewhere that nobody wants any more. */
const CANCEL_MS = 5000;

/** What actors that work elsewhere are reached by, in one process. */
export interface RemoteDeps {
  readonly agents: RemoteAgents;
  /** Messages that this process has written down and that nobody can have sent. */
  readonly unsent: Set<string>;
}

/** What a turn with somebody elsewhere has come to. */
export type RemoteTurn =
  /** It is followed by this, once that is durable. */
  | { readonly kind: "taken"; readonly place: RemotePlace }
  | {
      readonly kind: "answered";
      readonly answer: RemoteAnswer;
      readonly place: RemotePlace;
      readonly agent: RemoteAgent;
    }
  | RemoteFailure;

/** `again`: the same work may be asked after again; else it has come to nothing. */
export interface RemoteFailure {
  readonly kind: "failed";
  readonly reason: RemoteReason | "INTERRUPTED";
  readonly message: string;
  readonly again: boolean;
}

interface RemoteTurnOptions {
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
  /** What goes with the words of a message, as far as the other side takes it. */
  readonly extras?: (() => Promise<readonly Part[]>) | undefined;
  readonly failPoint?: FailPoint | undefined;
}

/**
 * One turn with somebody elsewhere: a message is handed over, or the work that it has become is waited for. The message
 * is durable before the first, where it was taken before the second, so that a process that dies between them leaves
 * what another one goes on with. A message that may have arrived is asked after, and never sent twice unasked. Throws the
 * signal's reason.
 */
export async function remoteTurn(
  deps: RemoteDeps,
  actor: RemoteActor,
  said: RemoteSaid,
  { signal, onText, extras, failPoint }: RemoteTurnOptions,
): Promise<RemoteTurn> {
  const late = AbortSignal.timeout(actor.limits.answer * 1000);
  const within = AbortSignal.any([signal, late]);
  let agent: RemoteAgent | undefined;
  try {
    agent = await deps.agents.open(actor, within);
    if (said.taken === undefined) return await handedOver(deps, agent, said, within, { extras, failPoint });
    const answered = await waited(agent, actor, said.taken, within, { onText, failPoint });
    if (WITH_FAIL_POINTS) failPoint?.("remote.message.answered");
    return answered;
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) {
      if (said.taken !== undefined && agent !== undefined) await stopped(agent, said.taken);
      const message = `${actor.name} has not answered within the ${actor.limits.answer} s that it has (limits.answer)`;
      return { kind: "failed", reason: "REMOTE_TIMEOUT", message, again: false };
    }
    return failureOf(actor, error);
  }
}

/** What of an error is for people; one that is no refusal is a mistake of ours, and thrown. */
export function failureOf(actor: RemoteActor, error: unknown): RemoteFailure {
  if (!(error instanceof RemoteAgentError)) throw error;
  const { reason, message } = error;
  return {
    kind: "failed",
    reason,
    message: `${actor.name}: ${message}`,
    again: reason !== "REMOTE_TOO_LARGE",
  };
}

/** Stops what is done elsewhere, in bounded time. */
export async function stopped(agent: RemoteAgent, place: RemotePlace): Promise<void> {
  await agent.cancel(place, AbortSignal.timeout(CANCEL_MS)).catch(() => undefined); // it ends by itself, or not
}

async function handedOver(
  { unsent }: RemoteDeps,
  agent: RemoteAgent,
  { messageId, text, place, answers }: RemoteSaid,
  signal: AbortSignal,
  { extras, failPoint }: Pick<RemoteTurnOptions, "extras" | "failPoint">,
): Promise<RemoteTurn> {
  if (!unsent.has(messageId)) {
    const found = await agent.find(messageId, place, signal);
    if (found === "unknown") {
      unsent.add(messageId); // whoever lets it be tried again lets it be sent again
      const message =
        "the agent was cut off while it handed its task over, and the other one cannot say whether it has it";
      return { kind: "failed", reason: "INTERRUPTED", message, again: true };
    }
    if (found !== "nothing") return { kind: "taken", place: found };
  }
  unsent.delete(messageId);
  try {
    const message = { messageId, parts: [{ kind: "text", text }], place } as const;
    const along = (await extras?.()) ?? [];
    if (WITH_FAIL_POINTS) failPoint?.("remote.message.unsent");
    const sent = await agent.send(
      {
        ...message,
        ...(along.length === 0 ? {} : { extras: along }),
        ...(answers === undefined ? {} : { answers }),
      },
      signal,
    );
    if (WITH_FAIL_POINTS) failPoint?.("remote.message.sent");
    if (!("kind" in sent)) return { kind: "taken", place: sent };
    return { kind: "answered", answer: { ...sent, artifacts: [] }, place, agent };
  } catch (error) {
    if (error instanceof RemoteAgentError && error.unsent) unsent.add(messageId);
    throw error;
  }
}

async function waited(
  agent: RemoteAgent,
  actor: RemoteActor,
  place: RemotePlace,
  signal: AbortSignal,
  { onText, failPoint }: Pick<RemoteTurnOptions, "onText" | "failPoint">,
): Promise<RemoteTurn> {
  const builder = new RemoteAnswerBuilder(actor.limits);
  const shown = new ShownText(onText);
  for await (const update of followed(agent, { place }, signal)) {
    builder.add(update);
    if (WITH_FAIL_POINTS) failPoint?.("remote.message.followed");
    if (update.kind === "rest") return { kind: "answered", answer: builder.end(update), place, agent };
    shown.add(update);
  }
  throw new RemoteAgentError("REMOTE_BAD_RESPONSE", "it has ended without a word");
}

/** What is passed on of a text while it comes: of an artifact that is told once more from its beginning, what is new. */
class ShownText {
  readonly #onText: (text: string) => void;
  readonly #texts = new Map<string, string>();
  #shows = false;

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  add(update: RemoteUpdate): void {
    if (update.kind === "progress") this.#show(textOf(update), true);
    if (update.kind !== "artifact") return;
    const { artifact, append } = update;
    const { artifactId } = artifact;
    const before = this.#texts.get(artifactId) ?? "";
    const text = append ? before + textOf(artifact) : textOf(artifact);
    this.#texts.set(artifactId, text);
    if (text.startsWith(before)) this.#show(text.slice(before.length), before === "");
    else this.#show(text, true);
  }

  #show(text: string, begins: boolean): void {
    if (text === "") return;
    this.#onText(begins && this.#shows ? `\n${text}` : text);
    this.#shows = true;
  }
}
