import {
  type CallContext,
  type ClientTransport,
  type DispatchAnswer,
  type Dispatcher,
  failure,
  type JsonRpcRequest,
  type JsonRpcResponse,
  methods,
  type Principal,
  ProtocolError,
  parseCursor,
  parseMessage,
  resolveMethod,
  type StreamElement,
  TransportError,
  toErrorObject,
} from "@cleveragents/protocol";
import { connectOwner } from "@cleveragents/transport-stdio/client";

export interface Forwarding extends AsyncDisposable {
  readonly dispatcher: Dispatcher;
  /** Whether the owner answers. */
  alive(principal: Principal): Promise<boolean>;
}

/** A dispatcher that hands every call to the owner of a data directory, whose only principal is the local user. */
export async function forwardTo(dataDir: string): Promise<Forwarding> {
  const owner = await connectOwner({ dataDir, startOwner: undefined, timeoutMs: 5000 });
  return {
    dispatcher: { dispatch: (message, context) => forward(owner, message, context) },
    async alive() {
      try {
        const request = { jsonrpc: "2.0", id: 0, method: "_cleveragents/health/check", params: {} } as const;
        return "result" in (await owner.request(request, { serviceParameters: {} }));
      } catch {
        return false;
      }
    },
    [Symbol.asyncDispose]: () => owner[Symbol.asyncDispose](),
  };
}

async function forward(
  owner: ClientTransport,
  message: Parameters<Dispatcher["dispatch"]>[0],
  context: CallContext,
): Promise<DispatchAnswer> {
  const parsed =
    typeof message === "string" || message instanceof Uint8Array ? parseMessage(message) : message;
  if (parsed.kind === "invalid") {
    const error = new ProtocolError(
      parsed.error,
      parsed.message === undefined ? {} : { message: parsed.message },
    );
    return one(failure(parsed.id, objectOf(error)));
  }
  if (parsed.kind === "call") return call(owner, parsed.request, context);
  const answers = await Promise.all(parsed.entries.map((entry) => forward(owner, entry, context)));
  const responses = answers.flatMap((answer) => (answer.kind === "one" ? [answer.response] : []));
  return responses.length === 0 ? { kind: "none" } : { kind: "batch", responses, serviceParameters: {} };
}

async function call(
  owner: ClientTransport,
  request: JsonRpcRequest,
  context: CallContext,
): Promise<DispatchAnswer> {
  const { id, ...rest } = request;
  const options = { serviceParameters: context.serviceParameters, signal: context.signal };
  // The owner sees an id of our own: ids of different clients may be the same.
  const inner: JsonRpcRequest = { ...rest, id: nextId() };
  try {
    if (!streams(request.method)) {
      const response = await owner.request(inner, options);
      return id === undefined ? { kind: "none" } : one(withId(response, id));
    }
    const frames = owner.stream(inner, options)[Symbol.asyncIterator]();
    const first = await frames.next();
    if (id === undefined || first.done === true || "error" in first.value.response) {
      await frames.return?.();
      return id === undefined || first.done === true
        ? { kind: "none" }
        : one(withId(first.value.response, id));
    }
    const failed = (thrown: unknown) => failure(id, objectOf(thrown));
    return { kind: "stream", id, elements: elementsOf(first.value, frames), failed, serviceParameters: {} };
  } catch (error) {
    return id === undefined ? { kind: "none" } : one(failure(id, objectOf(error)));
  }
}

function streams(method: string): boolean {
  const name = resolveMethod(method);
  return name !== undefined && methods[name].kind === "stream";
}

type Frames = AsyncIterator<{ readonly cursor?: string | undefined; readonly response: JsonRpcResponse }>;

async function* elementsOf(
  first: { readonly cursor?: string | undefined; readonly response: JsonRpcResponse },
  frames: Frames,
): AsyncGenerator<StreamElement> {
  try {
    for (let frame = first; ; ) {
      if ("error" in frame.response)
        throw new ProtocolError("InternalError", { message: frame.response.error.message });
      const cursor = frame.cursor ?? "";
      yield { cursor, seq: parseCursor(cursor)?.seq ?? 0, result: frame.response.result };
      const next = await frames.next();
      if (next.done === true) return;
      frame = next.value;
    }
  } finally {
    await frames.return?.();
  }
}

let last = 0;
function nextId(): number {
  last = (last + 1) % Number.MAX_SAFE_INTEGER;
  return last;
}

function withId(response: JsonRpcResponse, id: string | number | null): JsonRpcResponse {
  return { ...response, id };
}

function one(response: JsonRpcResponse): DispatchAnswer {
  return { kind: "one", response, serviceParameters: {} };
}

function objectOf(thrown: unknown) {
  const error = ProtocolError.is(thrown)
    ? thrown
    : TransportError.is(thrown)
      ? new ProtocolError("ShuttingDown", {
          message: "The agent that owns the data directory does not answer; try again",
        })
      : new ProtocolError("InternalError");
  return toErrorObject(error, {
    family: "a2a",
    requestId: String(nextId()),
    timestamp: new Date().toISOString(),
  });
}
