import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type Authenticator,
  type CallContext,
  type DispatchAnswer,
  LOCAL_PRINCIPAL,
  type Principal,
  ProtocolError,
} from "@cleveragents/protocol";
import type { AnswerFormat } from "./answer-format.ts";
import { challengeOf, readCredentials } from "./credentials.ts";
import { EventStream } from "./event-stream.ts";
import type { Headers, HttpAnswer } from "./http-answer.ts";
import type { HttpLimits, HttpLogger, HttpServerOptions } from "./http-server-options.ts";
import type { OpenCalls } from "./open-calls.ts";
import { readBody } from "./read-body.ts";
import { shuttingDown } from "./refusal.ts";
import { readServiceParameters } from "./service-parameters.ts";
import { SseWriter } from "./sse-writer.ts";
import { type Reply, writeAnswer } from "./write-answer.ts";

export interface HttpCallsDeps {
  readonly dispatcher: HttpServerOptions["dispatcher"];
  readonly authenticator: HttpServerOptions["authenticator"];
  readonly calls: OpenCalls;
  readonly limits: HttpLimits;
  readonly heartbeatMs: number;
  readonly logger: HttpLogger | undefined;
}

/** What every binding over HTTP does with a request: who calls, the body, the answer's way out. */
export class HttpCalls {
  readonly #deps: HttpCallsDeps;

  constructor(deps: HttpCallsDeps) {
    this.#deps = deps;
  }

  /** Sends what `answer` comes to, with the headers of `to`; whatever it throws is an internal error with a reference. */
  async serve(to: Reply, format: AnswerFormat, answer: () => Promise<HttpAnswer | undefined>): Promise<void> {
    let ready: HttpAnswer | undefined;
    try {
      ready = this.#deps.calls.stopping ? shuttingDown(format) : await answer();
    } catch (error) {
      const requestId = randomUUID();
      this.#deps.logger?.error({ error, requestId }, "a request over HTTP failed");
      ready = format.refusal("InternalError", { cause: error }, {}, requestId);
    }
    // Nothing is left to say where a stream was served or the caller has gone.
    if (ready === undefined || to.response.headersSent || to.response.destroyed) return;
    try {
      writeAnswer(to, ready);
    } catch (error) {
      this.#deps.logger?.error({ error }, "an answer over HTTP could not be written");
      to.response.destroy();
    }
  }

  /** Who is calling, or the refusal to send. */
  principalOf(
    request: IncomingMessage,
    format: AnswerFormat,
  ): Principal | HttpAnswer | Promise<Principal | HttpAnswer> {
    const { authenticator } = this.#deps;
    return authenticator === undefined
      ? LOCAL_PRINCIPAL
      : this.#authenticated(authenticator, request, format);
  }

  async #authenticated(
    authenticator: Authenticator,
    request: IncomingMessage,
    format: AnswerFormat,
  ): Promise<Principal | HttpAnswer> {
    const credentials = readCredentials(request);
    try {
      const principal = await authenticator.authenticate(credentials);
      if (principal !== undefined) return principal;
    } catch (error) {
      if (!ProtocolError.is(error)) throw error;
      return format.refusal(error.kind, {}, { "retry-after": "5" });
    }
    const challenge = challengeOf(authenticator.schemes, credentials);
    return format.refusal("AuthenticationRequired", {}, { "www-authenticate": challenge });
  }

  /** The whole body, the refusal to send, or undefined when the caller has gone. */
  async bodyOf(request: IncomingMessage, format: AnswerFormat): Promise<Buffer | HttpAnswer | undefined> {
    const { limits, calls } = this.#deps;
    const body = await readBody(request, limits.maxBodyBytes);
    if (body === "too large")
      return format.refusal("RequestTooLarge", { details: { maxBytes: limits.maxBodyBytes } });
    if (body === "cut off") return undefined;
    return calls.stopping ? shuttingDown(format) : body;
  }

  begin(principal: Principal, request: IncomingMessage, response: ServerResponse): HttpCall {
    return new HttpCall(principal, readServiceParameters(request), response, this.#deps.calls);
  }

  /** Serves a stream to its end; an answer is what to send instead. */
  async stream(
    answer: Extract<DispatchAnswer, { kind: "stream" }>,
    headers: Headers,
    to: Reply,
    call: HttpCall,
    format: AnswerFormat,
  ): Promise<HttpAnswer | undefined> {
    const { calls, heartbeatMs, limits } = this.#deps;
    const { response, headers: inherited } = to;
    const open = () =>
      new SseWriter(response, { ...inherited, ...headers }, { heartbeatMs, stallMs: limits.stallMs });
    const stream = new EventStream(answer, {
      format,
      open,
      abort: () => call.abort(),
      patienceMs: heartbeatMs,
    });
    if (response.destroyed) stream.leave();
    else response.once("close", () => stream.leave());
    const refused = await calls.during(stream, () => stream.serve());
    return refused === undefined ? undefined : { ...refused, headers: { ...headers, ...refused.headers } };
  }
}

/** One call, and whether somebody still waits for it. */
export class HttpCall {
  readonly context: CallContext;
  readonly #controller = new AbortController();

  constructor(
    principal: Principal,
    serviceParameters: Readonly<Record<string, string>>,
    response: ServerResponse,
    calls: OpenCalls,
  ) {
    calls.begin(response);
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

const NO_HEADERS: Headers = {};

export function headersOf(serviceParameters: Readonly<Record<string, string>>): Headers {
  if (Object.keys(serviceParameters).length === 0) return NO_HEADERS;
  return Object.fromEntries(
    Object.entries(serviceParameters).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
