import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type CallContext,
  type DispatchAnswer,
  LOCAL_PRINCIPAL,
  type Principal,
} from "@cleveragents/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isJsonRpcType } from "./content-type.ts";
import { challengeOf, readCredentials } from "./credentials.ts";
import { EventStream } from "./event-stream.ts";
import { type Headers, type HttpAnswer, jsonAnswer } from "./http-answer.ts";
import type { HttpLimits, HttpLogger, HttpServerOptions } from "./http-server-options.ts";
import { statusOfAnswer } from "./http-status.ts";
import type { OpenCalls } from "./open-calls.ts";
import { readBody } from "./read-body.ts";
import { refusal, shuttingDown } from "./refusal.ts";
import { sendAnswer } from "./send-answer.ts";
import { readServiceParameters } from "./service-parameters.ts";
import { SseWriter } from "./sse-writer.ts";

export interface RpcEndpointDeps {
  readonly dispatcher: HttpServerOptions["dispatcher"];
  readonly authenticator: HttpServerOptions["authenticator"];
  readonly calls: OpenCalls;
  readonly limits: HttpLimits;
  readonly heartbeatMs: number;
  readonly logger: HttpLogger | undefined;
}

/** The life of one JSON-RPC request over HTTP: who calls, what they sent, the answer or the stream. */
export class RpcEndpoint {
  readonly #deps: RpcEndpointDeps;

  constructor(deps: RpcEndpointDeps) {
    this.#deps = deps;
  }

  async handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    let answer: HttpAnswer | undefined;
    try {
      answer = await this.#answer(request.raw, reply);
    } catch (error) {
      const requestId = randomUUID();
      this.#deps.logger?.error({ error, requestId }, "a request over HTTP failed");
      answer = refusal("InternalError", { cause: error }, {}, requestId);
    }
    // Nothing is left to say where a stream was served or the caller has gone.
    if (answer === undefined || reply.raw.headersSent || reply.raw.destroyed) reply.hijack();
    else sendAnswer(reply, answer);
  }

  async #answer(request: IncomingMessage, reply: FastifyReply): Promise<HttpAnswer | undefined> {
    const { calls, limits, dispatcher } = this.#deps;
    if (calls.stopping) return shuttingDown();
    const principal =
      this.#deps.authenticator === undefined ? LOCAL_PRINCIPAL : await this.#authenticate(request);
    if ("status" in principal) return principal;
    if (!isJsonRpcType(request.headers["content-type"], request.headers.origin)) {
      return refusal(
        "ContentTypeNotSupported",
        { hint: "send application/json in UTF-8" },
        { accept: "application/json, application/a2a+json" },
      );
    }
    const body = await readBody(request, limits.maxBodyBytes);
    if (body === "too large")
      return refusal("RequestTooLarge", { details: { maxBytes: limits.maxBodyBytes } });
    if (body === "cut off") return undefined;
    if (calls.stopping) return shuttingDown();
    const call = new Call(principal, request, reply.raw, calls);
    const answer = await dispatcher.dispatch(body, call.context);
    const headers = answer.kind === "none" ? {} : headersOf(answer.serviceParameters);
    return answer.kind === "stream" ? this.#stream(answer, headers, reply, call) : asJson(answer, headers);
  }

  async #authenticate(request: IncomingMessage): Promise<Principal | HttpAnswer> {
    const { authenticator } = this.#deps;
    const credentials = readCredentials(request);
    const principal = await authenticator?.authenticate(credentials);
    if (principal !== undefined) return principal;
    const challenge = challengeOf(authenticator?.schemes ?? [], credentials);
    return refusal("AuthenticationRequired", {}, { "www-authenticate": challenge });
  }

  async #stream(
    answer: Extract<DispatchAnswer, { kind: "stream" }>,
    headers: Headers,
    reply: FastifyReply,
    call: Call,
  ): Promise<HttpAnswer | undefined> {
    const { calls, heartbeatMs, limits } = this.#deps;
    const open = () => {
      reply.hijack();
      const inherited = reply.getHeaders() as Headers; // only strings are ever set, by ourselves
      return new SseWriter(reply.raw, { ...inherited, ...headers }, { heartbeatMs, stallMs: limits.stallMs });
    };
    const stream = new EventStream(answer, { open, abort: () => call.abort(), patienceMs: heartbeatMs });
    if (reply.raw.destroyed) stream.leave();
    else reply.raw.once("close", () => stream.leave());
    const refused = await calls.during(stream, () => stream.serve());
    return refused === undefined ? undefined : { ...refused, headers: { ...headers, ...refused.headers } };
  }
}

/** One call, and whether somebody still waits for it. */
class Call {
  readonly context: CallContext;
  readonly #controller = new AbortController();

  constructor(principal: Principal, request: IncomingMessage, response: ServerResponse, calls: OpenCalls) {
    calls.begin(response);
    const serviceParameters = readServiceParameters(request);
    this.context = { principal, serviceParameters, binding: "http", signal: this.#controller.signal };
    response.once("close", () => {
      calls.end(response);
      if (!response.writableFinished) this.abort();
    });
  }

  abort(): void {
    this.#controller.abort();
  }
}

function headersOf(serviceParameters: Readonly<Record<string, string>>): Headers {
  return Object.fromEntries(
    Object.entries(serviceParameters).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function asJson(answer: Exclude<DispatchAnswer, { kind: "stream" }>, headers: Headers): HttpAnswer {
  const status = statusOfAnswer(answer);
  if (status === 204 || answer.kind === "none") return { status, headers, body: "" };
  return jsonAnswer(
    status,
    JSON.stringify(answer.kind === "one" ? answer.response : answer.responses),
    headers,
  );
}
