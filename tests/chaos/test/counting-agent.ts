import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Json = Record<string, unknown>;
interface Task {
  readonly id: string;
  readonly contextId: string;
  status: Json;
  readonly history: Json[];
  artifacts: Json[];
}

/** What the agent does with the n-th message of a task: the status that the task then has, and files that it sends. */
export type Works = (text: string, turn: number) => { readonly status: Json; readonly artifacts?: Json[] };

/**
 * Another agent of A2A 1.0, without streams, which takes each message that it gets and counts how often it got it: it does
 * not notice that it has one already, so that a message that is sent twice shows.
 */
export class CountingAgent implements AsyncDisposable {
  /** How often a message was received, by its id. */
  readonly received = new Map<string, number>();
  readonly cancelled: string[] = [];
  readonly #works: Works;
  readonly #tasks = new Map<string, Task>();
  readonly #server = createServer((request, response) => {
    const answer = async () => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const json =
        request.url?.startsWith("/.well-known/") === true ? this.#card() : this.#rpc(JSON.parse(body));
      response.setHeader("content-type", "application/json").end(JSON.stringify(json));
    };
    void answer().catch(() => response.destroy());
  });

  private constructor(works: Works) {
    this.#works = works;
  }

  static async start(works: Works): Promise<CountingAgent> {
    const agent = new CountingAgent(works);
    agent.#server.listen(0, "127.0.0.1");
    await once(agent.#server, "listening");
    return agent;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #card(): Json {
    return {
      name: "Counting",
      description: "Counts what it is told",
      version: "1",
      capabilities: { streaming: false },
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [],
      supportedInterfaces: [{ url: `${this.url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    };
  }

  #rpc({ id, method, params }: { id: unknown; method: string; params: Json }): Json {
    const result = this.#call(method, params);
    return result === undefined
      ? { jsonrpc: "2.0", id, error: { code: -32001, message: "no such task" } }
      : { jsonrpc: "2.0", id, result };
  }

  #call(method: string, params: Json): Json | undefined {
    const known = this.#tasks.get(String(params["id"]));
    switch (method) {
      case "SendMessage":
        return { task: this.#take(params["message"] as Json) };
      case "ListTasks":
        return {
          tasks: [...this.#tasks.values()],
          nextPageToken: "",
          pageSize: 50,
          totalSize: this.#tasks.size,
        };
      case "CancelTask":
        if (known !== undefined) this.cancelled.push(known.id);
        return known as Json | undefined;
      default:
        return known as Json | undefined;
    }
  }

  /** The answer says that the task is being worked on; whoever looks afterwards sees what has come of it. */
  #take(message: Json): Json {
    const messageId = String(message["messageId"]);
    this.received.set(messageId, (this.received.get(messageId) ?? 0) + 1);
    const id = String(message["taskId"] ?? "") || `task-${this.#tasks.size + 1}`;
    const contextId = String(message["contextId"] ?? "") || `context-${id}`;
    const task: Task = this.#tasks.get(id) ?? { id, contextId, status: {}, history: [], artifacts: [] };
    this.#tasks.set(id, task);
    task.history.push({ ...message, taskId: id, contextId });
    const texts = (message["parts"] as Json[]).map((part) => String(part["text"] ?? ""));
    const { status, artifacts = [] } = this.#works(texts.join(""), task.history.length);
    const at = new Date().toISOString();
    const answer = { ...task, status: { state: "TASK_STATE_WORKING", timestamp: at } };
    task.status = { timestamp: at, ...status };
    task.artifacts = [...task.artifacts, ...artifacts];
    return answer;
  }
}
