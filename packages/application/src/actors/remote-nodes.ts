import type { JsonObject, RemotePlace, RemoteSaid } from "@cleveragents/domain";
import { A2aActorSchema, RemoteGraphActorSchema } from "@cleveragents/domain";
import type { RemoteActor } from "../ports/remote-agent.ts";
import type { NodeCall, NodeContext, NodeStep, RemoteNodes } from "../ports/remote-nodes.ts";
import { markedPlace, wordsOf } from "./remote-answer.ts";
import type { RemoteKind } from "./remote-source.ts";
import { type RemoteDeps, remoteTurn, stopped } from "./remote-turn.ts";

/** What is kept of a call between its steps. */
interface NodeState {
  readonly said: number;
  readonly pending?: RemoteSaid;
  /** What it goes on from, once it has asked. */
  readonly place?: RemotePlace;
  readonly credential?: true;
}

const REACH_MS = 10_000;

/** Nodes of graphs that somebody elsewhere carries out: the same turns as those of plans. */
export function createRemoteNodes(kind: RemoteKind, remote: RemoteDeps): RemoteNodes {
  return {
    kind,
    settingsOf: (document) => settingsOf(kind, document),
    step: (call, context) => step(remote, call, context),
    async cancel({ settings, state }) {
      const { pending, place } = (state ?? {}) as unknown as Partial<NodeState>;
      const taken = pending?.taken ?? place;
      if (taken === undefined) return;
      const agent = await remote.agents
        .open(actorIn(settings), AbortSignal.timeout(REACH_MS))
        .catch(() => undefined);
      if (agent !== undefined) await stopped(agent, taken);
    },
  };
}

function settingsOf(kind: RemoteKind, document: JsonObject): JsonObject {
  // A node that says itself where its graph is has no name and no description of an actor.
  const named = {
    name: `local/${kind.replace("_", "-")}`,
    description: "a node of a graph",
    ...document,
    type: kind,
  };
  const schema = kind === "a2a" ? A2aActorSchema : RemoteGraphActorSchema;
  return schema.parse(named) as unknown as JsonObject; // a document is JSON
}

function actorIn(settings: JsonObject): RemoteActor {
  return settings as unknown as RemoteActor; // kept by `settingsOf` alone
}

async function step(remote: RemoteDeps, call: NodeCall, context: NodeContext): Promise<NodeStep> {
  const { callId, text, settings, answer } = call;
  const state = (call.state ?? { said: 0 }) as unknown as NodeState;
  const kept = (next: NodeState) => next as unknown as JsonObject;
  if (state.pending === undefined) {
    const said = state.said + 1;
    const { place = {}, credential } = state;
    const looksAgain = credential === true && (answer?.text ?? "") === "";
    const pending: RemoteSaid = {
      messageId: `${callId}-${said}`,
      text: answer?.text ?? text,
      place,
      ...(answer === undefined ? {} : { answers: true as const }),
      ...(looksAgain ? { taken: place } : {}),
    };
    remote.unsent.add(pending.messageId);
    return { kind: "more", state: kept({ said, pending }) };
  }
  const { pending, said } = state;
  const outcome = await remoteTurn(remote, actorIn(settings), pending, {
    signal: context.signal,
    onText: (piece) => context.say(piece),
  });
  context.signal.throwIfAborted();
  if (outcome.kind === "taken")
    return { kind: "more", state: kept({ said, pending: { ...pending, taken: outcome.place } }) };
  if (outcome.kind === "failed") {
    const { reason, message, again } = outcome;
    return { kind: "failed", reason, message, state: kept(again ? state : { said }) };
  }
  const { answer: heard, place } = outcome;
  const words = wordsOf(heard);
  if (heard.state === "input-required" || heard.state === "auth-required") {
    const credential = heard.state === "auth-required" ? { credential: true as const } : {};
    return {
      kind: "ask",
      state: kept({ said, place: markedPlace(place, heard), ...credential }),
      question: words === "" ? "It waits for an answer." : words,
      ...(heard.options === undefined ? {} : { options: heard.options }),
    };
  }
  if (heard.state !== "completed")
    return {
      kind: "failed",
      reason: "REMOTE_FAILED",
      message: `it has ${heard.state}${words === "" ? "" : `: ${words.slice(0, 2000)}`}`,
      state: kept({ said }),
    };
  const [data] = [...heard.artifacts.flatMap(({ parts }) => parts), ...heard.parts].flatMap((part) =>
    part.kind === "data" && isObject(part.data) ? [part.data] : [],
  );
  return { kind: "done", text: words, ...(data === undefined ? {} : { value: data }) };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
