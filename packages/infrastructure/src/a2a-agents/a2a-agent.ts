import type { AgentCard, Task as SdkTask } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import {
  type RemoteAgent,
  RemoteAgentError,
  type RemoteMessage,
  type RemoteRested,
  type RemoteUpdate,
} from "@cleveragents/application";
import type { A2aActor, RemotePlace } from "@cleveragents/domain";
import { isUnsupported, toRemoteError } from "./a2a-error.ts";
import { download } from "./download.ts";
import { findCard } from "./find-card.ts";
import type { Way } from "./remote-agents.ts";
import { takenBy } from "./taken-by.ts";
import { fromParts, listOf, objectOf, textOf, toArtifact, toParts, toRest } from "./wire.ts";

type Sdk = typeof import("@a2a-js/sdk");
type Json = Readonly<Record<string, unknown>>;

/** The member of a message's metadata that says how many agents it has come through. */
export const HOPS = "urn:cleveragents:extensions:hops:v1";
const FIRST_LOOK_MS = 250;
const LONGEST_LOOK_MS = 5000;
/** How long a question that was answered is not taken for a new one. */
const LONGEST_STALE_MS = 10_000;
const PAGES = 3;

/** Finds the agent by its card. Throws `RemoteAgentError`. */
export async function openA2aAgent(actor: A2aActor, way: Way, signal: AbortSignal): Promise<RemoteAgent> {
  const [sdk, { ClientFactory, JsonRpcTransportFactory, RestTransportFactory }] = await Promise.all([
    import("@a2a-js/sdk"),
    import("@a2a-js/sdk/client"),
  ]);
  const card = await findCard(actor, way, signal);
  const transport = { fetchImpl: way.fetch, legacyCompat: { enabled: true } };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(transport), new RestTransportFactory(transport)],
    // Sending returns when the message is taken; whoever wants to wait follows the task.
    clientConfig: { polling: true },
  });
  const client = await factory.createFromAgentCard(card).catch((error: unknown) => {
    throw toRemoteError(error, signal);
  });
  return new A2aAgent(sdk, client, card, way);
}

class A2aAgent implements RemoteAgent {
  readonly #sdk: Sdk;
  readonly #client: Client;
  readonly #streams: boolean;
  readonly #takes: ReturnType<typeof takenBy>;
  readonly #way: Way;

  constructor(sdk: Sdk, client: Client, card: AgentCard, way: Way) {
    this.#sdk = sdk;
    this.#client = client;
    this.#streams = card.capabilities?.streaming === true;
    this.#takes = takenBy(card);
    this.#way = way;
  }

  async send(message: RemoteMessage, signal: AbortSignal): Promise<RemotePlace | RemoteRested> {
    const result = await this.#call(signal, (options) =>
      this.#client.sendMessage(this.#request(message, true), options),
    );
    if ("messageId" in result) return said(objectOf(this.#sdk.Message.toJSON(result)));
    return {
      ...placeOf(result),
      ...(message.place.asked === undefined ? {} : { asked: message.place.asked }),
    };
  }

  async *say(message: RemoteMessage, signal: AbortSignal): AsyncGenerator<RemoteUpdate> {
    if (!this.#streams) {
      const sent = await this.send(message, signal);
      if ("kind" in sent) return yield sent;
      yield { kind: "taken", place: sent };
      return yield* this.follow(sent, signal);
    }
    const stream = this.#client.sendMessageStream(this.#request(message, false), { signal });
    yield* this.#updates(stream, signal, message.answers === true);
  }

  async *follow(place: RemotePlace, signal: AbortSignal): AsyncGenerator<RemoteUpdate> {
    const id = taskIdOf(place);
    const begun = performance.now();
    for (let look = 0; ; look++) {
      const task = objectOf(this.#sdk.Task.toJSON(await this.#task(id, signal)));
      yield* wholeOf(task);
      const rested = restOf(objectOf(task["status"]));
      // What it has asked may stand there for a moment after it was answered.
      const answered =
        rested?.mark !== undefined &&
        rested.mark === place.asked &&
        performance.now() - begun < LONGEST_STALE_MS;
      if (rested !== undefined && !answered) return yield rested;
      if (this.#streams && !answered) {
        try {
          let last: RemoteRested | undefined;
          const stream = this.#client.resubscribeTask({ tenant: "", id }, { signal });
          for await (const update of this.#updates(stream, signal)) {
            if (update.kind === "rest") last = update;
            else yield update;
          }
          if (last === undefined)
            throw new RemoteAgentError("REMOTE_UNAVAILABLE", "its stream ended before its work did");
          // What came between the look and the stream is in the task, whole.
          yield* wholeOf(objectOf(this.#sdk.Task.toJSON(await this.#task(id, signal))));
          return yield last;
        } catch (error) {
          // It has ended meanwhile, or does not do this for this task: it is looked at again.
          if (!(error instanceof RemoteAgentError) || !isUnsupported(error.cause)) throw error;
        }
      }
      await pause(Math.min(FIRST_LOOK_MS * 1.5 ** look, LONGEST_LOOK_MS), signal);
    }
  }

  async find(
    messageId: string,
    place: RemotePlace,
    signal: AbortSignal,
  ): Promise<RemotePlace | "nothing" | "unknown"> {
    try {
      if (place.taskId !== undefined) {
        const task = await this.#task(place.taskId, signal);
        if (has(task, messageId)) return place;
        return task.history.length === 0 ? "unknown" : "nothing";
      }
      if (this.#client.protocolVersion.startsWith("0.")) return "unknown";
      let pageToken = "";
      for (let page = 0; page < PAGES; page++) {
        const request = this.#sdk.ListTasksRequest.fromJSON({
          contextId: place.contextId ?? "",
          pageSize: 50,
          historyLength: 50,
          ...(pageToken === "" ? {} : { pageToken }),
        });
        const listed = await this.#call(signal, (options) => this.#client.listTasks(request, options));
        const found = listed.tasks.find((task) => has(task, messageId));
        if (found !== undefined) return placeOf(found);
        if (listed.tasks.some((task) => task.history.length === 0)) return "unknown";
        pageToken = listed.nextPageToken;
        if (pageToken === "") return "nothing";
      }
      return "unknown";
    } catch (error) {
      const cannotSay = error instanceof RemoteAgentError && /REFUSED|BAD_RESPONSE/.test(error.reason);
      if (cannotSay) return "unknown";
      throw error;
    }
  }

  async cancel(place: RemotePlace, signal: AbortSignal): Promise<void> {
    const request = this.#sdk.CancelTaskRequest.fromJSON({ id: taskIdOf(place) });
    try {
      await this.#call(signal, (options) => this.#client.cancelTask(request, options));
    } catch (error) {
      if (!(error instanceof RemoteAgentError) || !isUnsupported(error.cause)) throw error; // it is over
    }
  }

  download(url: string, atMost: number, signal: AbortSignal): Promise<string> {
    return download(this.#way.plainFetch, url, atMost, signal);
  }

  #task(id: string, signal: AbortSignal): Promise<SdkTask> {
    return this.#call(signal, (options) =>
      this.#client.getTask({ tenant: "", id, historyLength: 50 }, options),
    );
  }

  async #call<T>(
    signal: AbortSignal,
    ask: (options: { readonly signal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    try {
      return await ask({ signal });
    } catch (error) {
      throw toRemoteError(error, signal);
    }
  }

  async *#updates(
    stream: AsyncIterable<Parameters<Sdk["StreamResponse"]["toJSON"]>[0]>,
    signal: AbortSignal,
    answers = false,
  ): AsyncGenerator<RemoteUpdate> {
    let known: RemotePlace | undefined;
    try {
      for await (const element of stream) {
        const json = objectOf(this.#sdk.StreamResponse.toJSON(element));
        const place = wirePlaceOf(json);
        // Some begin with the task as it was when it asked.
        const isOld = answers && known === undefined && isAsking(json["task"]);
        if (known === undefined && place?.taskId !== undefined) {
          known = place;
          yield { kind: "taken", place };
        }
        yield* updatesOf(json);
        const end = isOld ? undefined : endOf(json);
        if (end !== undefined) return yield end;
      }
    } catch (error) {
      throw toRemoteError(error, signal);
    }
  }

  #request(
    { messageId, parts, extras = [], place, hops, acceptedOutputModes }: RemoteMessage,
    returnImmediately: boolean,
  ) {
    return this.#sdk.SendMessageRequest.fromJSON({
      message: {
        messageId,
        role: "ROLE_USER",
        parts: fromParts([...parts, ...extras.filter(this.#takes)]),
        ...(place.contextId === undefined ? {} : { contextId: place.contextId }),
        ...(place.taskId === undefined ? {} : { taskId: place.taskId }),
        ...(hops === undefined ? {} : { metadata: { [HOPS]: hops } }),
      },
      configuration: {
        returnImmediately,
        ...(acceptedOutputModes === undefined ? {} : { acceptedOutputModes }),
      },
    });
  }
}

function* updatesOf(json: Json): Generator<RemoteUpdate> {
  if (json["task"] !== undefined) yield* wholeOf(objectOf(json["task"]));
  if (json["artifactUpdate"] !== undefined) {
    const { artifact, append } = objectOf(json["artifactUpdate"]);
    yield { kind: "artifact", artifact: toArtifact(artifact), append: append === true };
  }
  if (json["statusUpdate"] !== undefined) {
    const status = objectOf(objectOf(json["statusUpdate"])["status"]);
    const parts = toParts(objectOf(status["message"])["parts"]);
    if (parts.length > 0 && toRest(status["state"]) === undefined) yield { kind: "progress", parts };
  }
}

function endOf(json: Json): RemoteRested | undefined {
  if (json["message"] !== undefined) return said(objectOf(json["message"]));
  const holder = json["task"] ?? json["statusUpdate"];
  return holder === undefined ? undefined : restOf(objectOf(objectOf(holder)["status"]));
}

function* wholeOf(task: Json): Generator<RemoteUpdate> {
  for (const artifact of listOf(task["artifacts"]))
    yield { kind: "artifact", artifact: toArtifact(artifact), append: false };
}

function isAsking(task: unknown): boolean {
  return restOf(objectOf(objectOf(task)["status"]))?.mark !== undefined;
}

function restOf(status: Json): RemoteRested | undefined {
  const state = toRest(status["state"]);
  if (state === undefined) return undefined;
  const message = objectOf(status["message"]);
  const asks = state === "input-required" || state === "auth-required";
  return {
    kind: "rest",
    state,
    parts: toParts(message["parts"]),
    ...(asks ? { mark: `${textOf(status["timestamp"]) ?? ""} ${textOf(message["messageId"]) ?? ""}` } : {}),
  };
}

/** An agent that answers with a message has done all that it does. */
function said(message: Json): RemoteRested {
  return { kind: "rest", state: "completed", parts: toParts(message["parts"]) };
}

function wirePlaceOf(json: Json): RemotePlace | undefined {
  const holder = json["task"] ?? json["statusUpdate"] ?? json["artifactUpdate"] ?? json["message"];
  if (holder === undefined) return undefined;
  const of = objectOf(holder);
  const taskId = json["task"] === undefined ? textOf(of["taskId"]) : textOf(of["id"]);
  const contextId = textOf(of["contextId"]);
  return {
    ...(taskId === undefined ? {} : { taskId }),
    ...(contextId === undefined ? {} : { contextId }),
  };
}

function placeOf({ id, contextId }: { readonly id: string; readonly contextId: string }): RemotePlace {
  return { taskId: id, ...(contextId === "" ? {} : { contextId }) };
}

function taskIdOf({ taskId }: RemotePlace): string {
  if (taskId === undefined) throw new Error("nothing to follow without a task's id");
  return taskId;
}

function has({ history }: SdkTask, messageId: string): boolean {
  return history.some((message) => message.messageId === messageId);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return import("node:timers/promises").then(({ setTimeout }) => setTimeout(ms, undefined, { signal }));
}
