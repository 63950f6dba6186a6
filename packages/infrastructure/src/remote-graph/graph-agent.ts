import { createHash } from "node:crypto";
import {
  type RemoteAgent,
  RemoteAgentError,
  type RemoteMessage,
  type RemoteRested,
  type RemoteUpdate,
} from "@cleveragents/application";
import {
  type JsonObject,
  type Part,
  type RemoteGraphActor,
  type RemotePlace,
  textOf,
} from "@cleveragents/domain";
import type { Client } from "@langchain/langgraph-sdk";
import { download } from "../a2a-agents/download.ts";
import type { Way } from "../a2a-agents/remote-agents.ts";
import { listOf, objectOf } from "../a2a-agents/wire.ts";
import { FetchFailures } from "./graph-error.ts";
import { answerIn, questionIn, textIn } from "./graph-values.ts";

/** A graph on a LangGraph server; nothing is asked of it yet. Throws `RemoteAgentError`. */
export async function openGraphAgent(actor: RemoteGraphActor, way: Way): Promise<RemoteAgent> {
  if (way.isOwn(new URL(actor.url)))
    throw new RemoteAgentError("REMOTE_ADDRESS_REFUSED", "its address is this agent's own", { unsent: true });
  const failures = new FetchFailures();
  return new GraphAgent(actor, await openClient(actor, way, failures), way, failures);
}

export async function openClient(
  { url }: RemoteGraphActor,
  way: Way,
  failures: FetchFailures,
): Promise<Client> {
  const fetch = failures.watching(way.fetch);
  const { Client } = await import("@langchain/langgraph-sdk");
  // Left to itself it would send keys that it finds in the environment, and try again by itself.
  return new Client({ apiUrl: url, apiKey: null, callerOptions: { maxRetries: 0, fetch } });
}

/** A message is a run on a thread. The thread's id comes from the message, so that both are found again by it. */
class GraphAgent implements RemoteAgent {
  readonly #actor: RemoteGraphActor;
  readonly #client: Client;
  readonly #way: Way;
  readonly #failures: FetchFailures;

  constructor(actor: RemoteGraphActor, client: Client, way: Way, failures: FetchFailures) {
    this.#actor = actor;
    this.#client = client;
    this.#way = way;
    this.#failures = failures;
  }

  async send(
    { messageId, parts, extras = [], place, answers }: RemoteMessage,
    signal: AbortSignal,
  ): Promise<RemotePlace> {
    const { graph_id, input_key } = this.#actor;
    const text = [textOf({ parts }), ...extras.flatMap(fileText)].join("\n\n");
    const contextId = place.contextId ?? threadOf(messageId);
    const said = input_key === "messages" ? [{ role: "user", content: text }] : text;
    const input: JsonObject = { ...stateIn(extras), [input_key]: said };
    return this.#asked(signal, async () => {
      await this.#client.threads.create({ threadId: contextId, ifExists: "do_nothing", signal });
      const run = await this.#client.runs.create(contextId, graph_id, {
        ...(answers === true ? { command: { resume: text } } : { input }),
        metadata: { message_id: messageId },
        streamMode: ["values", "messages-tuple"],
        streamResumable: true,
        multitaskStrategy: "reject",
        signal,
      });
      return { contextId, taskId: run.run_id };
    });
  }

  async *say(message: RemoteMessage, signal: AbortSignal): AsyncGenerator<RemoteUpdate> {
    const place = await this.send(message, signal);
    yield { kind: "taken", place };
    yield* this.follow(place, signal);
  }

  async *follow(place: RemotePlace, signal: AbortSignal): AsyncGenerator<RemoteUpdate> {
    const { contextId, taskId } = idsOf(place);
    const begun = new Set<string>();
    let refused: string | undefined;
    try {
      const stream = this.#client.runs.joinStream(contextId, taskId, { signal, lastEventId: "-1" });
      for await (const { event, data } of stream) {
        if (event === "error") refused = textIn(objectOf(data)["message"]) ?? "it has failed";
        if (event !== "messages") continue;
        const [piece] = listOf(data);
        if (piece === undefined || !/^(ai|AIMessageChunk)$/.test(String(piece["type"]))) continue;
        const text = textIn(piece["content"]) ?? "";
        const artifactId = `message-${String(piece["id"] ?? "")}`;
        if (text === "") continue;
        const append = piece["type"] === "AIMessageChunk" && begun.has(artifactId);
        begun.add(artifactId);
        yield { kind: "artifact", artifact: { artifactId, parts: [{ kind: "text", text }] }, append };
      }
    } catch (error) {
      throw this.#failures.explain(error, signal);
    }
    yield await this.#rested(contextId, taskId, refused, signal);
  }

  async find(messageId: string, place: RemotePlace, signal: AbortSignal): Promise<RemotePlace | "nothing"> {
    const contextId = place.contextId ?? threadOf(messageId);
    try {
      const runs = await this.#client.runs.list(contextId, { limit: 100, signal });
      const run = runs.find(({ metadata }) => objectOf(metadata)["message_id"] === messageId);
      return run === undefined ? "nothing" : { contextId, taskId: run.run_id };
    } catch (error) {
      if (statusOf(error) === 404) return "nothing";
      throw this.#failures.explain(error, signal);
    }
  }

  async cancel(place: RemotePlace, signal: AbortSignal): Promise<void> {
    const { contextId, taskId } = idsOf(place);
    try {
      await this.#client.runs.cancel(contextId, taskId, false, "interrupt", { signal });
    } catch (error) {
      const status = statusOf(error);
      if (status !== 404 && status !== 409 && status !== 422) throw this.#failures.explain(error, signal); // it is over
    }
  }

  download(url: string, atMost: number, signal: AbortSignal): Promise<string> {
    return download(this.#way.plainFetch, url, atMost, signal);
  }

  async #rested(
    contextId: string,
    taskId: string,
    refused: string | undefined,
    signal: AbortSignal,
  ): Promise<RemoteRested> {
    const { run, thread } = await this.#asked(signal, async () => ({
      run: await this.#client.runs.get(contextId, taskId, { signal }),
      thread: await this.#client.threads.get<JsonObject>(contextId, { signal }),
    }));
    const failed = (text: string): RemoteRested => ({
      kind: "rest",
      state: "failed",
      parts: [{ kind: "text", text }],
    });
    switch (run.status as string) {
      case "success": {
        const asked = questionIn(thread.interrupts);
        if (asked === undefined)
          return {
            kind: "rest",
            state: "completed",
            parts: answerIn(objectOf(thread.values), this.#actor.output_key),
          };
        const { question, options } = asked;
        return { kind: "rest", state: "input-required", parts: [{ kind: "text", text: question }], options };
      }
      case "error":
        return failed(refused ?? "the graph has failed");
      case "timeout":
        return failed("the graph has taken longer than its server lets it");
      case "interrupted":
        return { kind: "rest", state: "canceled", parts: [] };
      default:
        throw new RemoteAgentError("REMOTE_UNAVAILABLE", "the stream ended before the run did");
    }
  }

  async #asked<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw this.#failures.explain(error, signal);
    }
  }
}

/** A graph takes words alone. */
function fileText(part: Part): string[] {
  return part.kind === "text" && part.filename !== undefined
    ? [`[attached: ${part.filename}]\n${part.text}\n[end of ${part.filename}]`]
    : [];
}

/** Values that a node of a graph of ours hands on are members of the state. */
function stateIn(extras: readonly Part[]): JsonObject {
  const values = extras.filter(({ mediaType }) => mediaType === "application/json");
  return Object.assign({}, ...values.map((part) => (part.kind === "data" ? objectOf(part.data) : {})));
}

function statusOf(error: unknown): number | undefined {
  const status = (error as { status?: unknown } | undefined)?.status;
  return typeof status === "number" ? status : undefined;
}

/** Threads have UUIDs. */
function threadOf(messageId: string): string {
  const hex = createHash("sha256").update(messageId).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function idsOf({ contextId, taskId }: RemotePlace): { readonly contextId: string; readonly taskId: string } {
  if (contextId === undefined || taskId === undefined)
    throw new Error("nothing to follow without a thread and a run");
  return { contextId, taskId };
}
