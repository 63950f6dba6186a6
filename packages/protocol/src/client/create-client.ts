import type { JsonRpcRequest, JsonRpcResponse, RequestId } from "../envelope/json-rpc.ts";
import { RemoteError } from "../errors/remote-error.ts";
import type { ParamsInputOf, ResultOf, StreamMethod, UnaryMethod } from "../methods/method-table.ts";
import type { ClientTransport } from "./client-transport.ts";
import { TransportError } from "./transport-error.ts";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the call is given up with `TransportError` TIMEOUT; none by default. */
  readonly timeoutMs?: number | undefined;
  readonly extensions?: readonly string[] | undefined;
  /** Resume after this cursor; needs the resume extension. */
  readonly lastEventId?: string | undefined;
}

export interface StreamItem<T> {
  readonly cursor: string | undefined;
  readonly result: T;
}

/** A typed client over any transport. Errors that the peer answers are {@link RemoteError}. */
export interface Client extends AsyncDisposable {
  call<M extends UnaryMethod>(
    method: M,
    params: ParamsInputOf<M>,
    options?: CallOptions,
  ): Promise<ResultOf<M>>;
  stream<M extends StreamMethod>(
    method: M,
    params: ParamsInputOf<M>,
    options?: CallOptions,
  ): AsyncIterable<StreamItem<ResultOf<M>>>;
  /** A request by name, e.g. to an agent that has methods of its own. */
  request(method: string, params: unknown, options?: CallOptions): Promise<unknown>;
}

export function createClient(transport: ClientTransport, config: { readonly version?: string } = {}): Client {
  let last = 0;
  const version = config.version ?? "1.0";

  function prepare(method: string, params: unknown, options: CallOptions) {
    const request: JsonRpcRequest = { jsonrpc: "2.0", id: ++last, method, params };
    const serviceParameters: Record<string, string> = { "A2A-Version": version };
    if (options.extensions !== undefined && options.extensions.length > 0)
      serviceParameters["A2A-Extensions"] = options.extensions.join(",");
    if (options.lastEventId !== undefined) serviceParameters["Last-Event-ID"] = options.lastEventId;
    return { request, serviceParameters };
  }

  async function request(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    const prepared = prepare(method, params, options);
    const limit = options.timeoutMs === undefined ? undefined : AbortSignal.timeout(options.timeoutMs);
    const signal =
      limit === undefined
        ? options.signal
        : options.signal === undefined
          ? limit
          : AbortSignal.any([limit, options.signal]);
    try {
      const response = await transport.request(prepared.request, {
        serviceParameters: prepared.serviceParameters,
        signal,
      });
      return open(response, prepared.request.id as RequestId);
    } catch (error) {
      if (limit?.aborted === true)
        throw new TransportError("TIMEOUT", `no answer within ${options.timeoutMs} ms`, { cause: error });
      throw error;
    }
  }

  async function* stream(
    method: string,
    params: unknown,
    options: CallOptions = {},
  ): AsyncGenerator<StreamItem<unknown>> {
    const prepared = prepare(method, params, options);
    const frames = transport.stream(prepared.request, {
      serviceParameters: prepared.serviceParameters,
      signal: options.signal,
    });
    for await (const frame of frames) {
      yield { cursor: frame.cursor, result: open(frame.response, prepared.request.id as RequestId) };
    }
  }

  return {
    call: (method, params, options) => request(method, params, options) as never, // the table joins name, params and result
    stream: (method, params, options) => stream(method, params, options) as never, // as above
    request,
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}

/** The result of a response to this id. `error: null` beside a result is no error; another id is nobody's answer. */
function open(response: JsonRpcResponse, id: RequestId): unknown {
  const raw = response as { id?: unknown; result?: unknown; error?: unknown };
  const error = raw.error;
  if (raw.id !== id && !(raw.id === null && error !== undefined && error !== null)) {
    throw new TransportError("BAD_RESPONSE", "the answer carries the id of another request");
  }
  if (error !== undefined && error !== null) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    if (typeof code !== "number" || typeof message !== "string")
      throw new TransportError("BAD_RESPONSE", "the error has no code or message");
    throw new RemoteError(error as { code: number; message: string });
  }
  if (!("result" in raw)) throw new TransportError("BAD_RESPONSE", "the answer has neither result nor error");
  return raw.result;
}
