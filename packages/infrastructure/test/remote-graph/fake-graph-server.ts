import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Message {
  readonly type: "human" | "ai";
  readonly content: string;
  readonly id: string;
}
interface Run {
  readonly run_id: string;
  readonly metadata: object;
  status: "pending" | "success" | "error" | "interrupted";
  events: { readonly event: string; readonly data: unknown }[];
}
interface Thread {
  readonly messages: Message[];
  readonly runs: Run[];
  interrupts: Record<string, object[]>;
}

const QUESTION = { id: "i1", value: { question: "Which colour?", options: ["red", "blue"] } };

/** As much of a LangGraph server as is spoken with, answering what the real one was seen to answer. */
export class FakeGraphServer implements AsyncDisposable {
  readonly requests: { readonly line: string; readonly key: unknown }[] = [];
  readonly #threads = new Map<string, Thread>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<FakeGraphServer> {
    const fake = new FakeGraphServer();
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const url = new URL(request.url ?? "", "http://x");
    const { method = "" } = request;
    this.requests.push({ line: `${method} ${url.pathname}`, key: request.headers["x-api-key"] });
    const json = (body: unknown, status = 200) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const body = text === "" ? {} : JSON.parse(text);
    const [, , threadId = "", , runId = "", what] = url.pathname.split("/");
    if (url.pathname === "/assistants/search") {
      const all = [{ assistant_id: randomUUID(), graph_id: "asker" }];
      return json(body.graph_id === undefined || body.graph_id === "asker" ? all : []);
    }
    if (url.pathname === "/threads") {
      if (!this.#threads.has(body.thread_id))
        this.#threads.set(body.thread_id, { messages: [], runs: [], interrupts: {} });
      return json({ thread_id: body.thread_id });
    }
    const thread = this.#threads.get(threadId);
    if (thread === undefined) return json({ error: { message: "Thread not found" } }, 404);
    if (url.pathname === `/threads/${threadId}`)
      return json({
        thread_id: threadId,
        values: { messages: thread.messages },
        interrupts: thread.interrupts,
      });
    if (runId === "" && method === "GET") return json(thread.runs);
    if (runId === "") {
      if (body.assistant_id !== "asker")
        return json({ error: { message: `No assistant found for "${body.assistant_id}".` } }, 404);
      if (thread.runs.some(({ status }) => status === "pending"))
        return json({ error: { message: "Thread is already running a task." } }, 422);
      return json(begin(thread, body));
    }
    const run = thread.runs.find((one) => one.run_id === runId);
    if (run === undefined) return json({ error: { message: "Run not found" } }, 404);
    if (what === "cancel") {
      if (run.status !== "pending") return json({ error: { message: "Run already finished" } }, 409);
      run.status = "interrupted";
      return void response.writeHead(202).end();
    }
    if (what === undefined) return json(run);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": heartbeat\n\n");
    for (const [n, { event, data }] of run.events.entries())
      response.write(`id: ${n}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    response.end();
  }
}

function begin(
  thread: Thread,
  body: { input?: { messages: { content: string }[] }; command?: { resume: string }; metadata: object },
): Run {
  const run: Run = { run_id: randomUUID(), metadata: body.metadata, status: "success", events: [] };
  thread.runs.push(run);
  const say = (content: string) => {
    const message: Message = { type: "ai", content, id: randomUUID() };
    thread.messages.push(message);
    run.events.push(
      { event: "messages", data: [message, {}] },
      { event: "values", data: { messages: thread.messages } },
    );
  };
  run.events.push({ event: "metadata", data: { run_id: run.run_id, attempt: 1 } });
  if (body.command !== undefined) {
    thread.interrupts = {};
    say(`You said ${JSON.stringify(body.command.resume)}`);
    return run;
  }
  const text = body.input?.messages.at(-1)?.content ?? "";
  thread.messages.push({ type: "human", content: text, id: randomUUID() });
  if (text.includes("boom")) {
    run.status = "error";
    run.events.push({ event: "error", data: { error: "Error", message: "boom" } });
  } else if (text.includes("slow")) run.status = "pending";
  else if (text.includes("ask")) {
    thread.interrupts = { task: [QUESTION] };
    run.events.push({ event: "values", data: { __interrupt__: [QUESTION] } });
  } else say(`echo: ${text}`);
  return run;
}
