import { activatedBy, activatedParameters } from "@cleveragents/application";
import {
  type Authenticator,
  type CallContext,
  type ClientTransport,
  type DispatchAnswer,
  type Dispatcher,
  type ErrorObject,
  failure,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type MethodRow,
  type ParsedMessage,
  ProtocolError,
  parseCursor,
  parseMessage,
  type RequestId,
  type StreamElement,
  type StreamFrame,
  success,
  TransportError,
  toErrorObject,
} from "@cleveragents/protocol";
import { connectOwner, type ReachOwnerOptions, readDiscovery } from "@cleveragents/transport-stdio/client";
import { type ForwardedCall, forwardedCall } from "./forwarded-call.ts";
import { OwnersKeys, ownerFor } from "./owners-callers.ts";
import { isLeaving, resumedFrames } from "./resumed-frames.ts";

export interface Forwarding extends AsyncDisposable {
  /** Calls are their principal's at the owner too. */
  readonly dispatcher: Dispatcher;
  /** Knows the callers whose keys the owner knows. */
  readonly keys: Authenticator;
  /** Whether there is an owner that answers. */
  answers(): Promise<boolean>;
  /** Whether the owner can do its work. */
  alive(): Promise<boolean>;
}

export interface ForwardingOptions {
  readonly dataDir: string;
  /** Sees to it that there is an owner again after the present one is lost. Undefined: another process will. */
  readonly startOwner?: ReachOwnerOptions["startOwner"];
  /** Told when the owner is lost. */
  readonly onLost?: (() => void) | undefined;
}

/** How long calls wait for the next owner. */
const NEXT_MS = 15_000;
const START_AGAIN_MS = 200;

/**
 * A dispatcher that hands every call to the owner of a data directory, in the name of whoever called. It outlives its owners: calls in flight are answered with an error that may be tried again, streams go on by cursor.
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
  const token = async () => (await readDiscovery(dataDir))?.token;
  return {
    dispatcher: {
      dispatch: (message, context) => forward(ownerFor(owner, context.principal, token), message, context),
    },
    keys: new OwnersKeys(owner, token, nextId),
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
  const { id } = request;
  let forwarded: ForwardedCall | undefined;
  const failed = (thrown: unknown) =>
    failure(id ?? null, thrown instanceof OwnersError ? thrown.error : objectOf(thrown, forwarded?.row));
  try {
    forwarded = await forwardedCall(request, context);
    const { row, serviceParameters, version, extensions } = forwarded;
    // The owner sees an id of our own, since ids of different clients may be the same; and none of the parameters in the
    // envelope, which are for bindings without headers.
    const plain = { jsonrpc: "2.0", ...forwarded.request } as const;
    if (row?.kind !== "stream") {
      const response = await owner.request(
        { ...plain, id: nextId() },
        { serviceParameters, signal: context.signal },
      );
      // Said by the connection, which does not know whose words the method's errors are in.
      if (isLeaving(response)) throw new TransportError("CONNECTION_LOST", "the owner is leaving");
      return id === undefined ? { kind: "none" } : answerOf(response, id, forwarded);
    }
    if (!streams || id === undefined) {
      throw new ProtocolError("InvalidRequest", {
        message: "a streaming method needs a request of its own, with an id",
      });
    }
    const named = { ...plain, a2a: serviceParameters };
    const frames: Frames = resumedFrames({ owner, request: named, nextId, signal: context.signal });
    const first = await frames.next();
    if (first.done === true) throw new TransportError("CONNECTION_LOST", "the owner ended the stream");
    if ("error" in first.value.response) {
      await frames.return?.();
      return answerOf(first.value.response, id, forwarded);
    }
    return {
      kind: "stream",
      id,
      elements: elementsOf(first.value, frames, forwarded),
      ...(version === undefined ? {} : { version }),
      failed,
      serviceParameters: activatedParameters(activatedBy(row, extensions.requested), extensions.answerAs),
    };
  } catch (error) {
    return id === undefined ? { kind: "none" } : one(failed(error));
  }
}

type Frames = AsyncIterator<StreamFrame>;

async function* elementsOf(
  first: StreamFrame,
  frames: Frames,
  written: ForwardedCall,
): AsyncGenerator<StreamElement> {
  try {
    for (let frame = first; ; ) {
      if ("error" in frame.response) throw new OwnersError(written.error(frame.response.error));
      const cursor = frame.cursor ?? "";
      const { event } = frame;
      const seq = parseCursor(cursor)?.seq ?? 0;
      const result = written.element(frame.response.result);
      yield { cursor, seq, result, ...(event === undefined ? {} : { event }) };
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
function answerOf(
  response: JsonRpcResponse & Pick<JsonRpcRequest, "a2a">,
  id: RequestId,
  written: ForwardedCall,
): DispatchAnswer {
  const { a2a = {} } = response;
  const own =
    "error" in response
      ? failure(id, written.error(response.error))
      : success(id, written.result(response.result));
  return { kind: "one", response: own, serviceParameters: a2a };
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
