import { PassThrough, type Writable } from "node:stream";
import {
  type CallContext,
  type DispatchAnswer,
  type Dispatcher,
  encodeFrame,
  FrameDecoder,
  failure,
  type InvalidMessage,
  type JsonRpcRequest,
  LOCAL_PRINCIPAL,
  type ParsedMessage,
  type ServiceParameters,
  type StdioFraming,
  type StreamElement,
  success,
} from "@cleveragents/protocol";
import type { ConnectionLimits } from "../server/connection-limits.ts";
import { serveConnection } from "../server/serve-connection.ts";

export type Handler = (request: JsonRpcRequest, context: CallContext) => unknown;

/** Handlers by method: what one returns is the result, an async iterable a stream. */
function fakeDispatcher(
  handlers: Record<string, Handler>,
  serviceParameters: ServiceParameters = {},
): Dispatcher {
  const codes = { ParseError: -32700, InvalidRequest: -32600, RequestTooLarge: -32000 };
  const refuse = ({ id, error, message }: InvalidMessage) =>
    failure(id, { code: codes[error], message: message ?? error });
  async function dispatch(
    message: string | Uint8Array | ParsedMessage,
    context: CallContext,
  ): Promise<DispatchAnswer> {
    if (typeof message === "string" || message instanceof Uint8Array) throw new Error("the transport parses");
    if (message.kind === "invalid") return { kind: "one", response: refuse(message), serviceParameters };
    if (message.kind === "batch") {
      const answers = await Promise.all(message.entries.map((entry) => dispatch(entry, context)));
      const responses = answers.flatMap((answer) => (answer.kind === "one" ? [answer.response] : []));
      return responses.length === 0 ? { kind: "none" } : { kind: "batch", responses, serviceParameters };
    }
    const { request } = message;
    const handler = handlers[request.method];
    const id = request.id ?? null;
    const result = await handler?.(request, context);
    if (request.id === undefined) return { kind: "none" };
    if (handler === undefined)
      return {
        kind: "one",
        response: failure(id, { code: -32601, message: "no such method" }),
        serviceParameters,
      };
    if (isStream(result)) {
      const failed = (thrown: unknown) => failure(id, { code: -32603, message: String(thrown) });
      return { kind: "stream", id, elements: result, failed, serviceParameters };
    }
    return { kind: "one", response: success(id, result), serviceParameters };
  }
  return { dispatch };
}

function isStream(value: unknown): value is AsyncIterable<StreamElement> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** Whatever came, for the test to look at. */
interface Received {
  readonly id?: unknown;
  readonly params?: { readonly id?: unknown; readonly seq?: number };
}

interface Setup {
  readonly handlers?: Record<string, Handler>;
  readonly dispatcher?: Dispatcher;
  readonly limits?: Partial<ConnectionLimits>;
  readonly framing?: StdioFraming;
  readonly output?: Writable;
  readonly parameters?: ServiceParameters;
}

/** A connection, seen from its peer. */
export function open({ handlers = {}, dispatcher, limits, framing = "length", output, parameters }: Setup) {
  const input = new PassThrough();
  const answers = new PassThrough();
  const errors: unknown[] = [];
  const connection = serveConnection({
    dispatcher: dispatcher ?? fakeDispatcher(handlers, parameters),
    input,
    output: output ?? answers,
    principal: LOCAL_PRINCIPAL,
    limits,
    onError: (error) => void errors.push(error),
  });
  const decoder = new FrameDecoder();
  const received: unknown[] = [];
  let wake = () => {};
  answers.on("data", (chunk: Uint8Array) => {
    decoder.push(chunk);
    for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) {
      received.push(JSON.parse(new TextDecoder().decode(frame)));
    }
    wake();
  });
  return {
    connection,
    input,
    answers,
    errors,
    received,
    send: (...messages: unknown[]) => {
      for (const message of messages) input.write(encodeFrame(framing, JSON.stringify(message)));
    },
    async next(): Promise<Received> {
      while (received.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return received.shift() as Received; // a test that expects something else fails on it
    },
  };
}

export const call = (id: unknown, method: string, more: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...more,
});
export const cancel = (id: unknown) => ({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id } });
export const never: Handler = () => new Promise(() => {});

export async function* count(to: number, signal?: AbortSignal): AsyncGenerator<StreamElement> {
  for (let seq = 1; seq <= to && signal?.aborted !== true; seq++) {
    yield { cursor: `t:${seq}`, seq, result: { statusUpdate: { taskId: "t", n: seq } } };
  }
}

/** Elements as far as `to`, then nothing until the call is aborted. */
export async function* countAndWait(to: number, signal: AbortSignal): AsyncGenerator<StreamElement> {
  yield* count(to);
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
}
