import { setTimeout as sleep } from "node:timers/promises";
import {
  type ClientTransport,
  errorCatalog,
  type JsonRpcRequest,
  type JsonRpcResponse,
  parseCursor,
  RemoteError,
  type SendOptions,
  type StreamFrame,
  TransportError,
} from "@cleveragents/protocol";
import {
  asFinal,
  endsStream,
  isInterrupted,
  isReadingStream,
  isRepetition,
  type LastElement,
  resumingRequest,
  withoutResume,
} from "@cleveragents/transport-stdio/server";

/** Owners in a row that are lost before they gave an element, until the stream fails. */
const MAX_ATTEMPTS = 10;
const LONGEST_PAUSE_MS = 5000;

export interface ResumedFramesOptions {
  readonly owner: ClientTransport;
  /** With its service parameters in `a2a`. Each try is sent under an id of its own. */
  readonly request: JsonRpcRequest;
  readonly nextId: () => number;
  readonly signal: AbortSignal;
}

/**
 * The frames of a stream of the owner's, whichever process that is meanwhile: after a loss it goes on by cursor, without
 * its reader noticing. What was sent with a stream is never sent again. Throws `TransportError` where it cannot go on.
 */
export async function* resumedFrames(options: ResumedFramesOptions): AsyncGenerator<StreamFrame> {
  const { owner, request, nextId, signal } = options;
  let last: LastElement | undefined;
  for (let attempt = 0; ; ) {
    const resuming = last === undefined ? undefined : resumingRequest(request, last);
    const { a2a = {}, ...rest } = resuming ?? request;
    const send: SendOptions = { serviceParameters: a2a, signal };
    let opening = resuming !== undefined;
    let lost: TransportError;
    try {
      for await (const frame of owner.stream({ ...rest, id: nextId() }, send)) {
        if ("error" in frame.response) {
          if (last === undefined || !isLeaving(frame.response)) return yield frame;
          break;
        }
        const { result } = frame.response;
        if (opening && isRepetition(result)) {
          opening = false;
          continue;
        }
        opening = false;
        attempt = 0;
        const { event, cursor } = frame;
        last = { seq: parseCursor(cursor ?? "")?.seq ?? Number.NaN, result, event, cursor };
        const interrupted = resuming !== undefined && isInterrupted(request.method, result);
        const shown = interrupted ? asFinal(result) : withoutResume(request, result);
        yield { ...frame, response: { ...frame.response, result: shown } };
        // A subscription goes on where the stream that it stands in for would have ended.
        if (interrupted) return;
      }
      if (last === undefined || endsStream(request.method, last.result)) return;
      lost = new TransportError("CONNECTION_LOST", "the owner ended the stream before its task ended");
    } catch (error) {
      if (!isLost(error)) throw error;
      if (last !== undefined && endsStream(request.method, last.result)) return;
      lost = error;
    }
    const mayGoOn = last === undefined ? isReadingStream(request.method) : resumingRequest(request, last);
    if (!mayGoOn || ++attempt > MAX_ATTEMPTS) throw lost;
    await sleep(Math.min(25 * 2 ** attempt, LONGEST_PAUSE_MS), undefined, { signal });
  }
}

function isLost(error: unknown): error is TransportError {
  return TransportError.is(error) && (error.reason === "CONNECTION_LOST" || error.reason === "NOT_CONNECTED");
}

/** An owner that stops ends its streams with these words, or without any. */
export function isLeaving(response: JsonRpcResponse): boolean {
  return "error" in response && new RemoteError(response.error).reason === errorCatalog.ShuttingDown.reason;
}
