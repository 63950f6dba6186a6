import { parseJson, TransportError } from "@cleveragents/protocol";
import { Exchange } from "./exchange.ts";
import { readEventData, readEvents } from "./read-frames.ts";
import { isEventStream, readText } from "./read-response.ts";

export interface RestRequest {
  readonly verb: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the root, encoded, e.g. `/tasks/x:cancel`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

export interface RestClientOptions {
  /** The interface's URL as its card has it. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Added to every request, e.g. an API key that goes there. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly contentType?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Characters of one answer or event above which the peer is given up; 32 Mi by default. */
  readonly maxMessageLength?: number | undefined;
}

/** An answer's JSON (undefined for none), with what a stream calls the event. */
export interface RestAnswer {
  readonly json: unknown;
  readonly cursor?: string | undefined;
}

/** A refusal that is an answer: its HTTP status, and its JSON where it has one (A2A §11.6). */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly status: number;
  readonly json: unknown;
  constructor(status: number, json: unknown) {
    super(`HTTP status ${status}`);
    this.status = status;
    this.json = json;
  }
}

/** HTTP+JSON as a client speaks it. Throws {@link RestError} for a refusal, `TransportError` where nothing was learnt. */
export interface RestClient {
  request(request: RestRequest, signal?: AbortSignal): Promise<RestAnswer>;
  /** Events until the agent ends the stream; an answer that is none is the only one. */
  stream(request: RestRequest, signal?: AbortSignal): AsyncGenerator<RestAnswer>;
}

const DEFAULT_MAX_LENGTH = 32 * 1024 * 1024;

export function createRestClient(options: RestClientOptions): RestClient {
  const { maxMessageLength = DEFAULT_MAX_LENGTH } = options;
  const send = options.fetch ?? fetch;

  function begin({ verb, path, query, body }: RestRequest, accept: string, signal: AbortSignal | undefined) {
    const url = new URL(options.url);
    url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
    for (const [name, value] of Object.entries({ ...query, ...options.query }))
      url.searchParams.set(name, value);
    const headers = new Headers(options.headers);
    headers.set("accept", accept);
    if (body !== undefined) headers.set("content-type", options.contentType ?? "application/json");
    const init: RequestInit = {
      method: verb,
      headers,
      // Credentials never follow a redirect.
      redirect: "manual",
      cache: "no-store",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    return new Exchange(url, (ended) => send(url, { ...init, signal: ended }), signal);
  }

  async function answer(exchange: Exchange, response: Response): Promise<RestAnswer> {
    const { status } = response;
    const text = await readText(exchange, response, maxMessageLength);
    const json = parse(text);
    if (status >= 200 && status < 300) {
      if (json === undefined && text.trim() !== "")
        throw new TransportError("BAD_RESPONSE", `${exchange.url.origin} answered with what is no JSON`);
      return { json };
    }
    if (status >= 300 && status < 400)
      throw new TransportError(
        "BAD_RESPONSE",
        `${exchange.url.origin} answered ${status} with a redirect, which is not followed`,
      );
    // What a proxy says while the agent behind it is being replaced: worth another try.
    if (json === undefined && status >= 502 && status <= 504)
      throw new TransportError("NOT_CONNECTED", `${exchange.url.origin} answered ${status}`);
    throw new RestError(status, json);
  }

  return {
    async request(request, signal) {
      const exchange = begin(request, "application/a2a+json, application/json", signal);
      try {
        return await answer(exchange, await exchange.response());
      } finally {
        exchange.end();
      }
    },
    async *stream(request, signal) {
      const exchange = begin(request, "text/event-stream, application/a2a+json, application/json", signal);
      try {
        const response = await exchange.response();
        if (!isEventStream(response) || !response.ok) {
          yield await answer(exchange, response);
          return;
        }
        const limits = { maxMessageLength, idleTimeoutMs: undefined };
        for await (const { id, data } of readEvents(exchange, response, limits))
          yield { json: readEventData(data), ...(id === undefined || id === "" ? {} : { cursor: id }) };
      } finally {
        exchange.end();
      }
    },
  };
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
