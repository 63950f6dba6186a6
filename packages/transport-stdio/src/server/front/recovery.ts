import { randomUUID } from "node:crypto";
import {
  type FramingError,
  failure,
  ProtocolError,
  type ServiceParameters,
  success,
  toErrorObject,
} from "@cleveragents/protocol";
import {
  asFinal,
  isReadingStream,
  isRepetition,
  type LastElement,
  resumingRequest,
  shownParameters,
  withoutResume,
} from "../../resume/resume-stream.ts";
import { endsStream, record } from "../../resume/stream-position.ts";
import { withParameters } from "../call.ts";
import { streamNotification } from "../stream-notification.ts";
import { transportFailure } from "../transport-failure.ts";
import type { OpenCall } from "./open-calls.ts";

// What a front needs once its owner has gone, and not before: this module is loaded then.

const LOST = { message: "The agent ended before it answered; look whether this was done, then try again" };

/**
 * What the client gets of a call now that its owner is gone: an answer, or undefined where the call goes on with the
 * next owner. What may have been carried out is never sent again.
 */
export function answerAfterLoss(call: OpenCall): string | undefined {
  const { id, request, last, batch } = call;
  if (batch !== undefined)
    return JSON.stringify(
      batch.map((one) => transportFailure(one.id, one.request.method, "ShuttingDown", LOST)),
    );
  if (call.cancelled === true) return refusalOf(call, "RequestCancelled");
  if (last === undefined)
    return isReadingStream(request.method) ? undefined : refusalOf(call, "ShuttingDown");
  if (call.leaving === true || endsStream(request.method, last.result))
    return JSON.stringify(success(id, {}));
  return resumingRequest(request, last) === undefined ? refusalOf(call, "ShuttingDown") : undefined;
}

/** What the next owner is sent for a call that goes on. */
export function requestAfterLoss({ request, last }: OpenCall): string {
  return JSON.stringify(last === undefined ? request : resumingRequest(request, last));
}

export function refusalOf({ id, request }: OpenCall, kind: "ShuttingDown" | "RequestCancelled"): string {
  return JSON.stringify(transportFailure(id, request.method, kind, kind === "ShuttingDown" ? LOST : {}));
}

/** The last word of a stream that was resumed, as the client would have had it without. */
export function endOfResumed({ id, request, leaving }: OpenCall, answer: Record<string, unknown>): string {
  const { a2a, ...rest } = answer;
  const message = leaving === true ? success(id, {}) : rest;
  return JSON.stringify(withParameters(message, shownParameters(request, record(a2a) as ServiceParameters))); // strings, by the binding
}

/**
 * What the client gets of the first element of a resumed stream: nothing of a Task that it has already, the Task to
 * begin anew from where events are gone.
 */
export function openingOf({ id, request }: OpenCall, last: LastElement): string | undefined {
  const { result } = last;
  return isRepetition(result)
    ? undefined
    : elementOf(id, { ...last, result: withoutResume(request, result) });
}

/** The element that a stream ends with which its owner takes for a subscription. */
export function lastOf({ id }: OpenCall, { seq, result }: LastElement): string {
  return elementOf(id, { seq, result: asFinal(result) });
}

function elementOf(id: OpenCall["id"], { seq, result, event, cursor = "" }: LastElement): string {
  const version = record(result)["kind"] === undefined ? undefined : "0.3";
  return JSON.stringify(
    streamNotification(id, { cursor, seq, result, ...(event !== undefined && { event }) }, version),
  );
}

/** What is said of input that cannot be cut into messages, as the owner would say it. */
export function refusalOfInput({ reason, message }: FramingError): string {
  const kind = reason === "TOO_LARGE" ? "RequestTooLarge" : "ParseError";
  const context = { family: "a2a", requestId: randomUUID(), timestamp: new Date().toISOString() } as const;
  return JSON.stringify(failure(null, toErrorObject(new ProtocolError(kind, { message }), context)));
}
