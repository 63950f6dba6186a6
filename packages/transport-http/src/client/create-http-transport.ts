import {
  type ClientTransport,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type SendOptions,
  type StreamFrame,
  success,
  TransportError,
} from "@cleveragents/protocol";
import { Exchange } from "./exchange.ts";
import { readFrames } from "./read-frames.ts";
import { isEventStream, readJsonRpc } from "./read-response.ts";

export interface HttpTransportOptions {
  /** The JSON-RPC endpoint, e.g. `http://127.0.0.1:8000/a2a`. */
  readonly url: string | URL;
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string | undefined;
  /** Sent as `X-API-Key`. */
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Characters of one answer or event above which the peer is given up; 32 Mi by default. */
  readonly maxMessageLength?: number | undefined;
  /**
   * Milliseconds of silence, comments included, after which a stream counts as lost; never by default. Set it to a few
   * heartbeats for a server that sends them (ours: every 15 s).
   */
  readonly idleTimeoutMs?: number | undefined;
}

const DEFAULT_MAX_LENGTH = 32 * 1024 * 1024;

/** A client's way to an agent over HTTP. Needs `fetch` and web streams only, so it runs in browsers too. */
export function createHttpTransport(options: HttpTransportOptions): ClientTransport {
  const url = new URL(options.url);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new TypeError(`not an HTTP URL: ${url.protocol}`);
  if (url.username !== "" || url.password !== "")
    throw new TypeError("credentials go into token, apiKey or headers, not into the URL");
  const { maxMessageLength = DEFAULT_MAX_LENGTH, idleTimeoutMs } = options;
  const exchanges = new Set<Exchange>();
  let closed = false;

  function begin(
    request: JsonRpcRequest,
    accept: string,
    { serviceParameters, signal }: SendOptions,
  ): Exchange {
    if (closed) throw new TransportError("NOT_CONNECTED", "this transport has been closed");
    const headers = new Headers(options.headers);
    for (const [name, value] of Object.entries(serviceParameters)) headers.set(name, value);
    headers.set("accept", accept);
    headers.set("content-type", "application/json");
    if (options.token !== undefined) headers.set("authorization", `Bearer ${options.token}`);
    if (options.apiKey !== undefined) headers.set("x-api-key", options.apiKey);
    const send = options.fetch ?? fetch;
    // Credentials never follow a redirect, and a redirected POST would lose its body.
    const init: RequestInit = {
      method: "POST",
      headers,
      body: JSON.stringify(request),
      redirect: "manual",
      cache: "no-store",
    };
    const exchange = new Exchange(url, (signal) => send(url, { ...init, signal }), signal);
    exchanges.add(exchange);
    return exchange;
  }

  async function request(request: JsonRpcRequest, sendOptions: SendOptions): Promise<JsonRpcResponse> {
    const exchange = begin(request, "application/json", sendOptions);
    try {
      const response = await exchange.response();
      if (response.status === 204 && request.id === undefined) return success(null, null);
      return await readJsonRpc(exchange, response, maxMessageLength);
    } finally {
      exchange.end();
      exchanges.delete(exchange);
    }
  }

  async function* stream(request: JsonRpcRequest, sendOptions: SendOptions): AsyncGenerator<StreamFrame> {
    const exchange = begin(request, "text/event-stream, application/json", sendOptions);
    try {
      const response = await exchange.response();
      if (isEventStream(response))
        yield* readFrames(exchange, response, { maxMessageLength, idleTimeoutMs }, request.id ?? null);
      else yield { response: await readJsonRpc(exchange, response, maxMessageLength) };
    } finally {
      exchange.end();
      exchanges.delete(exchange);
    }
  }

  return {
    request,
    stream,
    async [Symbol.asyncDispose]() {
      closed = true;
      for (const exchange of exchanges) exchange.end();
    },
  };
}
