import type { JsonObject, Part, RemotePlace, RemoteSaid } from "@cleveragents/domain";
import { A2aActorSchema, RemoteGraphActorSchema } from "@cleveragents/domain";
import { type RemoteActor, RemoteAgentError } from "../ports/remote-agent.ts";
import type { NodeCall, NodeContext, NodeStep, RemoteNodes } from "../ports/remote-nodes.ts";
import { whereToPut } from "./credential-place.ts";
import { markedPlace, wordsOf } from "./remote-answer.ts";
import type { RemoteKind } from "./remote-source.ts";
import { stopWork } from "./remote-stopping.ts";
import { type RemoteDeps, remoteTurn } from "./remote-turn.ts";

/** What is kept of a call between its steps. */
interface NodeState {
  readonly said: number;
  readonly pending?: RemoteSaid;
  /** What it goes on from, once it has asked. */
  readonly place?: RemotePlace;
  readonly credential?: true;
}

/** The answer to who wants to know who is asking, and knows by now. */
const DONE = "done";

/** Nodes of graphs that somebody elsewhere carries out: the same turns as those of plans. */
export function createRemoteNodes(kind: RemoteKind, remote: RemoteDeps): RemoteNodes {
  return {
    kind,
    settingsOf: (document) => settingsOf(kind, document),
    step: (call, context) => step(remote, call, context),
    async cancel({ settings, state }) {
      const { pending, place = {}, credential } = (state ?? {}) as unknown as Partial<NodeState>;
      // What it has asked is open as long as nobody has answered it.
      const asked = pending === undefined && place.taskId !== undefined;
      const asks = asked ? { question: "", options: [], ...(credential ? { credential } : {}) } : undefined;
      try {
        await stopWork(remote, actorIn(settings), { pending, asks, place });
        return undefined;
      } catch (error) {
        return error instanceof RemoteAgentError ? error.message : "it could not be reached in time";
      }
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
  const { callId, text, values, settings, answer } = call;
  const state = (call.state ?? { said: 0 }) as unknown as NodeState;
  const kept = (next: NodeState) => next as unknown as JsonObject;
  if (state.pending === undefined) {
    const said = state.said + 1;
    const { place = {}, credential } = state;
    const looksAgain = credential === true && ["", DONE].includes(answer?.text ?? "");
    const pending: RemoteSaid = {
      messageId: `${callId}-${said}`,
      text: answer?.text ?? text,
      ...(answer === undefined && Object.keys(values).length > 0 ? { told: values } : {}),
      place,
      ...(answer === undefined ? {} : { answers: true as const }),
      ...(looksAgain ? { taken: place } : {}),
    };
    if (context.again !== true) remote.unsent.add(pending.messageId);
    return { kind: "more", state: kept({ said, pending }) };
  }
  const { pending, said } = state;
  const outcome = await remoteTurn(remote, actorIn(settings), pending, {
    signal: context.signal,
    onText: (piece) => context.say(piece),
    extras: async () => valuesOf(pending),
    failPoint: context.failPoint,
  });
  context.signal.throwIfAborted();
  if (outcome.kind === "taken")
    return { kind: "more", state: kept({ said, pending: { ...pending, taken: outcome.place } }) };
  if (outcome.kind === "failed") {
    const { reason, message, again } = outcome;
    // What waits goes on as it is when somebody says that the credential is there.
    if (reason === "REMOTE_AUTHENTICATION")
      return {
        kind: "ask",
        state: kept(state),
        question: `${message}. ${whereToPut(actorIn(settings))}`,
        options: [DONE],
        credential: true,
      };
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
      ...(heard.state === "auth-required" ? { options: [DONE] } : {}),
      ...(heard.options === undefined ? {} : { options: heard.options }),
      ...credential,
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

/** What the node hands on besides words, for who takes it. */
function valuesOf({ told }: RemoteSaid): readonly Part[] {
  return told === undefined ? [] : [{ kind: "data", data: told, mediaType: "application/json" }];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
