import { activatedBy, activatedParameters } from "@cleveragents/application";
import {
  type CallContext,
  type ClientTransport,
  type DispatchAnswer,
  type Dispatcher,
  type ErrorObject,
  failure,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type MethodRow,
  methods,
  type ParsedMessage,
  ProtocolError,
  parseCursor,
  parseExtensions,
  parseMessage,
  type RequestId,
  resolveMethod,
  type StreamElement,
  type StreamFrame,
  TransportError,
  toErrorObject,
} from "@cleveragents/protocol";
import { connectOwner } from "@cleveragents/transport-stdio/client";
import { resumedFrames } from "./resumed-frames.ts";

export interface Forwarding extends AsyncDisposable {
  readonly dispatcher: Dispatcher;
  /** Whether there is an owner that answers. */
  answers(): Promise<boolean>;
  /** Whether the owner can do its work. */
  alive(): Promise<boolean>;
}

export interface ForwardingOptions {
  readonly dataDir: string;
  /** Sees to it that there is an owner again after the present one is lost. Undefined: another process will. */
  readonly startOwner?: (() => Promise<void>) | undefined;
  /** Told when the owner is lost. */
  readonly onLost?: (() => void) | undefined;
}

/** How long calls wait for the next owner. */
const NEXT_MS = 15_000;
const START_AGAIN_MS = 200;

/**
 * A dispatcher that hands every call to the owner of a data directory, whose only principal is the local user. It
 * outlives its owners: calls in flight are answered with an error that may be tried again, streams go on by cursor.
 */
export async function forwardTo({ dataDir, startOwner, onLost }: ForwardingOptions): Promise<Forwarding> {
  const owner = await connectOwner({
    dataDir,
    startOwner,
    firstPresent: true,
    timeoutMs: NEXT_MS,
    startAgainMs: START_AGAIN_MS,
    onLost,
  });
  return {
    dispatcher: { dispatch: (message, context) => forward(owner, message, context) },
    answers: () => succeeds(owner, "$/ping"),
    alive: () => succeeds(owner, "_cleveragents/health/check"),
    [Symbol.asyncDispose]: () => owner[Symbol.asyncDispose](),
  };
}

async function succeeds(owner: ClientTransport, method: string): Promise<boolean> {
  try {
    const request = { jsonrpc: "2.0", id: nextId(), method, params: {} } as const;
    return "result" in (await owner.request(request, { serviceParameters: {} }));
  } catch {
    return false;
  }
}

async function forward(
  owner: ClientTransport,
  message: Parameters<Dispatcher["dispatch"]>[0],
  context: CallContext,
): Promise<DispatchAnswer> {
  const parsed =
    typeof message === "string" || message instanceof Uint8Array ? parseMessage(message) : message;
  if (parsed.kind !== "batch") return single(owner, parsed, context, true);
  const answers = await Promise.all(parsed.entries.map((entry) => single(owner, entry, context, false)));
  const responses = answers.flatMap((answer) => (answer.kind === "one" ? [answer.response] : []));
  return responses.length === 0 ? { kind: "none" } : { kind: "batch", responses, serviceParameters: {} };
}

async function single(
  owner: ClientTransport,
  entry: ParsedMessage & { kind: "call" | "invalid" },
  context: CallContext,
  streams: boolean,
): Promise<DispatchAnswer> {
  if (entry.kind === "call") return call(owner, entry.request, context, streams);
  const error = new ProtocolError(entry.error, entry.message === undefined ? {} : { message: entry.message });
  return one(failure(entry.id, objectOf(error, undefined)));
}

/** The owner's own word on a stream that has begun. */
class OwnersError extends Error {
  override readonly name = "OwnersError";
  readonly error: ErrorObject;
  constructor(error: ErrorObject) {
    super(error.message);
    this.error = error;
  }
}

async function call(
  owner: ClientTransport,
  request: JsonRpcRequest,
  context: CallContext,
  streams: boolean,
): Promise<DispatchAnswer> {
  // Parameters in the envelope are for bindings without headers; this one has them in its context.
  const { id, a2a: _, ...rest } = request;
  const name = resolveMethod(request.method);
  const row = name === undefined ? undefined : methods[name];
  const options = { serviceParameters: context.serviceParameters, signal: context.signal };
  // The owner sees an id of our own: ids of different clients may be the same.
  const inner: JsonRpcRequest = { ...rest, id: nextId() };
  const failed = (thrown: unknown) =>
    failure(id ?? null, thrown instanceof OwnersError ? thrown.error : objectOf(thrown, row));
  try {
    if (row?.kind !== "stream") {
      const response = await owner.request(inner, options);
      return id === undefined ? { kind: "none" } : answerOf(response, id);
    }
    if (!streams || id === undefined) {
      throw new ProtocolError("InvalidRequest", {
        message: "a streaming method needs a request of its own, with an id",
      });
    }
    const named = { ...rest, a2a: context.serviceParameters };
    const frames: Frames = resumedFrames({ owner, request: named, nextId, signal: context.signal });
    const first = await frames.next();
    if (first.done === true) throw new TransportError("CONNECTION_LOST", "the owner ended the stream");
    if ("error" in first.value.response) {
      await frames.return?.();
      return answerOf(first.value.response, id);
    }
    const requested = parseExtensions(context.serviceParameters["a2a-extensions"]);
    const serviceParameters = activatedParameters(activatedBy(row, requested));
    return { kind: "stream", id, elements: elementsOf(first.value, frames), failed, serviceParameters };
  } catch (error) {
    return id === undefined ? { kind: "none" } : one(failed(error));
  }
}

type Frames = AsyncIterator<StreamFrame>;

async function* elementsOf(first: StreamFrame, frames: Frames): AsyncGenerator<StreamElement> {
  try {
    for (let frame = first; ; ) {
      if ("error" in frame.response) throw new OwnersError(frame.response.error);
      const cursor = frame.cursor ?? "";
      const { event } = frame;
      const seq = parseCursor(cursor)?.seq ?? 0;
      yield { cursor, seq, result: frame.response.result, ...(event === undefined ? {} : { event }) };
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

/** The owner's answer under the client's id; what its envelope carries besides belongs into headers here. */
function answerOf(response: JsonRpcResponse & Pick<JsonRpcRequest, "a2a">, id: RequestId): DispatchAnswer {
  const { a2a = {}, ...plain } = response;
  return { kind: "one", response: { ...plain, id }, serviceParameters: a2a };
}

function one(response: JsonRpcResponse): DispatchAnswer {
  return { kind: "one", response, serviceParameters: {} };
}

function objectOf(thrown: unknown, row: MethodRow | undefined): ErrorObject {
  const error = ProtocolError.is(thrown)
    ? thrown
    : TransportError.is(thrown)
      ? new ProtocolError("ShuttingDown", {
          message: "The agent that owns the data directory does not answer; try again",
        })
      : new ProtocolError("InternalError");
  return toErrorObject(error, {
    family: row?.family ?? "a2a",
    requestId: String(nextId()),
    timestamp: new Date().toISOString(),
  });
}
