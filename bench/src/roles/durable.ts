import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Call, listening, sendJson, sendStream, textOf, writeUpdate } from "../library/bare-http.ts";
import { type BareStore, openBareStore } from "../library/bare-store.ts";
import { clock } from "../library/questions.ts";
import { chunk, TRIVIAL_ANSWER } from "../library/tasks.ts";
import type { Role } from "./role.ts";

/** As many updates in a transaction as an actor's turn writes at once. */
const JOINED = 256;

/**
 * What the machine can do if a message, and each update of a stream, is on the disk before it is answered: node:http and
 * node:sqlite, the product's tables, and no product. Messages that come in one turn of the event loop share a transaction.
 */
export async function begin({ path }: { readonly path: string }): Promise<Role> {
  const store = await openBareStore(path);
  const messages = new Messages(store);
  const streams = new Map<ServerResponse, string>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = JSON.parse(await textOf(request)) as Call;
    const taskId = await messages.received(call);
    if (call.method === "SendMessage") {
      await messages.finished(taskId);
      return sendJson(response, call.id, { task: messages.taskOf(call, taskId) });
    }
    sendStream(response, call.id, { task: messages.taskOf(call, taskId) });
    streams.set(response, taskId);
    response.on("close", () => streams.delete(response));
  }
  const port = await listening((request, response) => void serve(request, response));
  return {
    ready: String(port),
    answers: {
      publish({ updates }: { updates: number }) {
        const began = clock();
        for (const [response, taskId] of streams) {
          for (let n = 0; n < updates; n += JOINED) {
            const last = Math.min(updates, n + JOINED);
            store.transaction(() => appendAll(store, taskId, n, last));
            for (let i = n; i < last; i++) writeUpdate(response, taskId, i);
          }
        }
        return began;
      },
    },
  };
}

function appendAll(store: BareStore, taskId: string, from: number, to: number): void {
  const at = Date.now();
  for (let n = from; n < to; n++)
    store.event({ taskId, seq: n + 3, key: `t1:e1:${n}`, at, body: chunk(n), artifactId: "output" });
  store.update(taskId, { at, seq: to + 2 });
}

/** Two transactions for each: that it was received, and that it is answered. */
class Messages {
  readonly #store: BareStore;
  #waiting: { readonly write: () => void; readonly done: () => void }[] = [];
  #begun = 0;
  #ended = 0;

  constructor(store: BareStore) {
    this.#store = store;
  }

  async received({ params }: Call): Promise<string> {
    const taskId = randomUUID();
    const { messageId } = params.message;
    await this.#durable(() => {
      const at = Date.now();
      this.#begun += 1;
      this.#store.task(taskId, at);
      const received = { type: "status", state: "submitted", received: params.message };
      this.#store.event({ taskId, seq: 1, key: `received:${messageId}`, at, body: received, messages: 1 });
      const working = { type: "status", state: "working" };
      this.#store.event({ taskId, seq: 2, key: "t1:working", at, body: working });
      this.#store.claim(messageId, taskId);
    });
    return taskId;
  }

  finished(taskId: string): Promise<void> {
    return this.#durable(() => {
      const at = Date.now();
      this.#begun -= 1;
      this.#ended += 1;
      const body = { type: "status", state: "completed", message: said(taskId) };
      this.#store.event({ taskId, seq: 3, key: "t1:e1:1", at, body, messages: 1 });
      this.#store.update(taskId, { at, seq: 3, state: "completed" });
    });
  }

  taskOf({ params }: Call, taskId: string): unknown {
    const status = {
      state: "TASK_STATE_COMPLETED",
      message: said(taskId),
      timestamp: new Date().toISOString(),
    };
    return { id: taskId, contextId: "context", status, history: [params.message, said(taskId)] };
  }

  #durable(write: () => void): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ write, done });
      if (this.#waiting.length === 1) setImmediate(() => this.#commit());
    });
  }

  #commit(): void {
    const group = this.#waiting;
    this.#waiting = [];
    this.#store.transaction(() => {
      for (const { write } of group) write();
      this.#store.count("working", this.#begun);
      this.#store.count("completed", this.#ended);
      this.#begun = 0;
      this.#ended = 0;
    });
    for (const { done } of group) done();
  }
}

function said(taskId: string) {
  return { messageId: `${taskId}-said`, role: "ROLE_AGENT", taskId, parts: [{ text: TRIVIAL_ANSWER }] };
}
