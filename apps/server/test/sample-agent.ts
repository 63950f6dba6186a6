import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as breath } from "node:timers/promises";
import { AgentCard, Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from "@a2a-js/sdk";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  type RequestContext,
  ServerCallContext,
} from "@a2a-js/sdk/server";

/** What the agent does for a message of this text, in a task of its own. */
export type Does = (text: string, agent: Speaking, turn: number) => Promise<void> | void;

export interface Speaking {
  artifact(artifact: object, append?: boolean): void;
  /** A state, with words; what is no end of the turn goes on. */
  status(state: string, text?: string, part?: object): void;
  /** Resolves when somebody has asked for the task to be cancelled. */
  readonly cancelled: Promise<void>;
}

/** The official SDK's server before an agent of a few lines, as its own sample agents are built. */
export interface SampleAgent extends AsyncDisposable {
  readonly url: string;
  /** Texts that have come, in order, and the messages that they came in, as JSON. */
  readonly heard: string[];
  readonly messages: unknown[];
  readonly cancelled: string[];
  /** Methods that were called, with the header that says who is asking. */
  readonly calls: { readonly method: string; readonly authorization: string | undefined }[];
  does: Does;
  /** Answers every request with this status instead, until it is undefined again. */
  broken: number | undefined;
}

export async function startSampleAgent(
  does: Does,
  {
    version = "1.0",
    streaming = true,
    inputModes = ["text/plain"],
  }: {
    readonly version?: "1.0" | "0.3";
    readonly streaming?: boolean;
    readonly inputModes?: readonly string[];
  } = {},
): Promise<SampleAgent> {
  const executor = new SampleExecutor(does);
  const calls: SampleAgent["calls"] = [];
  let broken: number | undefined;
  let card: object = {};
  let serve: (body: string) => Promise<unknown>;
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith("/.well-known/agent-card.json"))
      return void response.setHeader("content-type", "application/json").end(JSON.stringify(card));
    let body = "";
    for await (const chunk of request) body += String(chunk);
    calls.push({ method: JSON.parse(body).method, authorization: request.headers.authorization });
    if (broken !== undefined) return void response.writeHead(broken).end();
    const result = await serve(body);
    if (!isStream(result))
      return void response.setHeader("content-type", "application/json").end(JSON.stringify(result));
    response.writeHead(200, { "content-type": "text/event-stream" });
    for await (const element of result) response.write(`data: ${JSON.stringify(element)}\n\n`);
    response.end();
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const common = {
    name: "Sample",
    description: "Does what it is told",
    version: "1",
    defaultInputModes: [...inputModes],
    defaultOutputModes: ["text/plain"],
    skills: [],
  };
  const supportedInterfaces = [{ url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: version }];
  const core = AgentCard.fromJSON({ ...common, capabilities: { streaming }, supportedInterfaces });
  card =
    version === "1.0"
      ? (AgentCard.toJSON(core) as object)
      : {
          ...common,
          protocolVersion: "0.3.0",
          url: `${url}/rpc`,
          preferredTransport: "JSONRPC",
          capabilities: { streaming },
        };
  const handler = new DefaultRequestHandler(core, new InMemoryTaskStore(), executor);
  const transport =
    version === "1.0" ? new JsonRpcTransportHandler(handler) : new LegacyJsonRpcTransportHandler(handler);
  serve = (body) => transport.handle(body, new ServerCallContext({ requestedVersion: version }));
  return {
    url,
    heard: executor.heard,
    messages: executor.messages,
    cancelled: executor.cancelled,
    calls,
    get does() {
      return executor.does;
    },
    set does(next) {
      executor.does = next;
    },
    get broken() {
      return broken;
    },
    set broken(status) {
      broken = status;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

class SampleExecutor implements AgentExecutor {
  readonly heard: string[] = [];
  readonly messages: unknown[] = [];
  readonly cancelled: string[] = [];
  does: Does;
  readonly #turns = new Map<string, number>();
  readonly #cancel = new Map<string, PromiseWithResolvers<void>>();

  constructor(does: Does) {
    this.does = does;
  }

  async execute(
    { userMessage, taskId, contextId, task }: RequestContext,
    bus: ExecutionEventBus,
  ): Promise<void> {
    const text = textOf(userMessage);
    this.heard.push(text);
    this.messages.push(Message.toJSON(userMessage));
    const turn = (this.#turns.get(taskId) ?? 0) + 1;
    this.#turns.set(taskId, turn);
    const submitted = { id: taskId, contextId, status: { state: "TASK_STATE_SUBMITTED" } };
    const first = { ...Task.fromJSON(submitted), history: [userMessage] };
    // What an executor publishes first is a task, also in a later turn of it.
    bus.publish(AgentEvent.task(task ?? first));
    const ended = Promise.withResolvers<void>();
    this.#cancel.set(taskId, ended);
    const status = (state: string, words?: string, part?: object) => {
      const parts = [
        ...(words === undefined ? [] : [{ text: words }]),
        ...(part === undefined ? [] : [part]),
      ];
      const message = {
        messageId: `${taskId}-${state}-${turn}`,
        role: "ROLE_AGENT",
        parts,
        taskId,
        contextId,
      };
      const update = {
        taskId,
        contextId,
        status: { state: `TASK_STATE_${state}`, ...(parts.length > 0 ? { message } : {}) },
      };
      bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON(update)));
    };
    await this.does(
      text,
      {
        status,
        artifact: (artifact, append = false) =>
          bus.publish(
            AgentEvent.artifactUpdate(
              TaskArtifactUpdateEvent.fromJSON({ taskId, contextId, artifact, append }),
            ),
          ),
        cancelled: ended.promise,
      },
      turn,
    );
    await breath();
    bus.finished();
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    this.cancelled.push(taskId);
    this.#cancel.get(taskId)?.resolve();
    const update = { taskId, contextId: "", status: { state: "TASK_STATE_CANCELED" } };
    bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON(update)));
    bus.finished();
  }
}

function textOf({ parts }: Message): string {
  return parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("");
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
