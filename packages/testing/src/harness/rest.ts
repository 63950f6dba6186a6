import {
  type ClientTransport,
  errorCatalog,
  failure,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type MethodRow,
  methods,
  resolveMethod,
  type SendOptions,
  SseDecoder,
  type StreamFrame,
  success,
} from "@cleveragents/protocol";
import { harnessOf, type OpenHarness } from "./harness.ts";
import { serveHttp } from "./http.ts";

/** HTTP+JSON on a port of the loopback interface, asked by paths and verbs of the method table. */
export const rest: OpenHarness = async ({ dispatcher }) => {
  const { url, tokens, close } = await serveHttp(dispatcher);
  return harnessOf({
    supports: { batchParameters: "one", stdio: false },
    connect(principal) {
      const noText = () => {
        throw new Error("this binding has no JSON-RPC text");
      };
      return {
        transport: new RestTransport(`${url}/a2a/rest`, tokens.for(principal)),
        exchange: noText,
        follow: noText,
      };
    },
    close,
  });
};

/** Puts a call into a path, a query and a body, and the answer back into JSON-RPC. */
class RestTransport implements ClientTransport {
  readonly #root: string;
  readonly #token: string;
  readonly #open = new AbortController();

  constructor(root: string, token: string) {
    this.#root = root;
    this.#token = token;
  }

  async request(request: JsonRpcRequest, options: SendOptions): Promise<JsonRpcResponse> {
    try {
      return await this.#answerOf(request, await this.#send(request, options));
    } catch (error) {
      if (error instanceof NoPath) return error.toResponse(request);
      throw error;
    }
  }

  async *stream(request: JsonRpcRequest, options: SendOptions): AsyncGenerator<StreamFrame> {
    const left = new AbortController();
    const signal = AbortSignal.any([left.signal, ...(options.signal === undefined ? [] : [options.signal])]);
    try {
      const response = await this.#send(request, { ...options, signal });
      if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true) {
        yield { response: await this.#answerOf(request, response) };
        return;
      }
      const decoder = new SseDecoder();
      for await (const chunk of response.body ?? []) {
        for (const event of decoder.push(chunk as Uint8Array)) {
          if (event.data === "") continue;
          const read = JSON.parse(event.data);
          const json = event.event === "message" ? read : read.params;
          const answer = isStatus(json) ? toFailure(request, json) : success(request.id ?? null, json);
          yield { response: answer, ...(event.id === undefined ? {} : { cursor: event.id }) };
        }
      }
    } catch (error) {
      if (!(error instanceof NoPath)) throw error;
      yield { response: error.toResponse(request) };
    } finally {
      left.abort();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#open.abort();
  }

  async #send(request: JsonRpcRequest, options: SendOptions): Promise<Response> {
    const { row, verb, path, rest } = locate(request);
    const query = verb === "POST" ? "" : `?${new URLSearchParams(rest as Record<string, string>)}`;
    const signals = [this.#open.signal, ...(options.signal === undefined ? [] : [options.signal])];
    return fetch(`${this.#root}${path}${query}`, {
      method: verb,
      headers: {
        ...options.serviceParameters,
        authorization: `Bearer ${this.#token}`,
        ...(verb === "POST" ? { "content-type": "application/a2a+json" } : {}),
        accept: row.kind === "stream" ? "text/event-stream" : "application/a2a+json",
      },
      ...(verb === "POST" ? { body: JSON.stringify(rest) } : {}),
      signal: AbortSignal.any(signals),
    });
  }

  async #answerOf(request: JsonRpcRequest, response: Response): Promise<JsonRpcResponse> {
    const json = await response.json();
    if (response.ok) return success(request.id ?? null, json);
    if (!isStatus(json) || json.error.code !== response.status)
      throw new Error(`status ${response.status} with ${JSON.stringify(json)}`);
    return toFailure(request, json);
  }
}

/** Without its parameter a path is another path, so such a call cannot be written down: its own side refuses it. */
class NoPath extends Error {
  constructor(parameter: string) {
    super(`no path without ${parameter}`);
  }

  toResponse(request: JsonRpcRequest): JsonRpcResponse {
    const { code, reason } = errorCatalog.InvalidParams;
    return failure(request.id ?? null, { code, message: this.message, data: [{ reason }] });
  }
}

function locate({ method, params }: JsonRpcRequest) {
  const name = resolveMethod(method);
  if (name === undefined) throw new Error(`${method} is not in the table`);
  const row: MethodRow = methods[name];
  if (params !== undefined && (typeof params !== "object" || params === null || Array.isArray(params)))
    return { row, verb: "POST", path: row.rest?.path ?? `/${name}`, rest: params };
  const rest: Record<string, unknown> = { ...(params as Record<string, unknown>) };
  const path = (row.rest?.path ?? `/${name}`).replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = rest[parameter];
    delete rest[parameter];
    if (typeof value !== "string" || value === "") throw new NoPath(parameter);
    return encodeURIComponent(value);
  });
  return { row, verb: row.rest?.verbs[0] ?? "POST", path, rest };
}

interface Status {
  readonly error: {
    readonly code: number;
    readonly status: string;
    readonly message: string;
    readonly details?: readonly object[];
  };
}

function isStatus(json: unknown): json is Status {
  return typeof json === "object" && json !== null && "error" in json;
}

/** What a refusal with a reason of its own is, by its `google.rpc.Code`. */
const CODES: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: -32602,
  NOT_FOUND: -32001,
  FAILED_PRECONDITION: -32004,
};

/** The JSON-RPC error that the same refusal is, by its reason. */
function toFailure(request: JsonRpcRequest, { error }: Status): JsonRpcResponse {
  const { row } = locate(request);
  const details = error.details ?? [];
  const info = details.find((detail) => "reason" in detail) as { reason: string } | undefined;
  const facts = details.find((detail) => "value" in detail) as { value: object } | undefined;
  const rest = details.filter((detail) => detail !== facts);
  const known = Object.values(errorCatalog).filter(({ family }) => family === row.family || family === "any");
  const code = known.find(({ reason }) => reason === info?.reason)?.code ?? CODES[error.status] ?? -32603;
  const data = row.family === "a2a" ? details : { ...facts?.value, details: rest };
  return failure(request.id ?? null, { code, message: error.message, data });
}
