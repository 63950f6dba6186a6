import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeSseEvent } from "@cleveragents/protocol";
import {
  type AnswerSource,
  answerTokens,
  countTokens,
  type ReceivedRequest,
  type ScriptedAnswer,
} from "./answers.ts";
import { anthropicPieces } from "./anthropic-pieces.ts";
import { openAiPieces, openAiWhole } from "./openai-pieces.ts";

export interface ModelServerOptions {
  /** Asked for of every request; anything goes when absent. */
  readonly key?: string;
  readonly models?: readonly string[];
}

/** A server of models that says what it was told to say, over real HTTP, and counts what it has been asked. */
export class ModelServer implements AsyncDisposable {
  /** Every request for an answer, in the order in which they came. */
  readonly requests: ReceivedRequest[] = [];
  /** By its own count, of what it has answered whole. */
  readonly used = { input: 0, output: 0 };
  /** Requests that are being answered, and the most there were at a time. */
  readonly load = { now: 0, most: 0 };
  readonly #server: Server;
  readonly #options: ModelServerOptions;
  #answers: AnswerSource;
  #taken = 0;

  private constructor(answers: AnswerSource, options: ModelServerOptions) {
    this.#answers = answers;
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  static async start(answers: AnswerSource, options: ModelServerOptions = {}): Promise<ModelServer> {
    const server = new ModelServer(answers, options);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Where chat completions are. */
  get openAiUrl(): string {
    return `${this.origin}/v1`;
  }

  /** What it says from now on. */
  say(answers: AnswerSource): void {
    this.#answers = answers;
    this.#taken = 0;
  }

  /** Ends every connection in the middle of what it is. */
  cut(): void {
    this.#server.closeAllConnections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", this.origin).pathname;
    const { key } = this.#options;
    const given = request.headers.authorization?.replace(/^Bearer /, "") ?? request.headers["x-api-key"];
    if (key !== undefined && given !== key)
      return json(response, 401, {
        error: { type: "authentication_error", message: `Incorrect key: ${String(given)}` },
      });
    if (request.method === "GET" && path.endsWith("/models"))
      return json(response, 200, { data: (this.#options.models ?? ["test-model"]).map((id) => ({ id })) });
    const body = JSON.parse(await textOf(request)) as Record<string, unknown>;
    const tokens =
      countTokens(body["messages"]) + countTokens(body["tools"] ?? "") + countTokens(body["system"] ?? "");
    const received: ReceivedRequest = {
      number: this.requests.length + 1,
      method: request.method ?? "",
      path,
      headers: request.headers,
      body,
      tokens,
    };
    this.requests.push(received);
    const answer = this.#next(received);
    if (answer === undefined)
      return json(response, 500, {
        error: { message: "the script of the model server has no more answers" },
      });
    this.load.most = Math.max(this.load.most, ++this.load.now);
    response.once("close", () => this.load.now--);
    await this.#answer(answer, received, response);
  }

  #next(request: ReceivedRequest): ScriptedAnswer | undefined {
    const answers = this.#answers;
    return typeof answers === "function" ? answers(request) : answers[this.#taken++];
  }

  async #answer(answer: ScriptedAnswer, request: ReceivedRequest, response: ServerResponse): Promise<void> {
    if (answer.delay === "never") return;
    if (answer.delay !== undefined)
      await new Promise((resolve) => setTimeout(resolve, answer.delay as number));
    if (answer.status !== undefined) {
      if (answer.retryAfter !== undefined) response.setHeader("retry-after", answer.retryAfter);
      return json(response, answer.status, answer.error ?? { error: { message: `status ${answer.status}` } });
    }
    const said = typeof answer.usage === "object" ? answer.usage : undefined;
    const used = {
      input: said?.input ?? request.tokens,
      output: said?.output ?? answerTokens(answer),
      cached: said?.cached ?? 0,
    };
    if (answer.raw !== undefined) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const piece of answer.raw)
        response.write(typeof piece === "string" ? piece : encodeSseEvent({ data: JSON.stringify(piece) }));
      return void response.end();
    }
    const events = request.path.endsWith("/messages")
      ? anthropicPieces(answer, request, used)
      : openAiPieces(answer, request, used).map((data) => ({ data }));
    if (answer.whole === true) {
      json(response, 200, openAiWhole(answer, request, used));
    } else {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      for (const [n, event] of events.entries()) {
        if (n === answer.hangAfter) return;
        // What was written before still arrives.
        if (n === answer.cutAfter) return void response.socket?.end();
        const data = n === answer.truncateAt ? event.data.slice(0, event.data.length / 2) : event.data;
        response.write(encodeSseEvent({ ...event, data }));
      }
      response.end();
    }
    this.used.input += used.input;
    this.used.output += used.output;
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
