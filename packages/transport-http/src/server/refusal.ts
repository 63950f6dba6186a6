import { randomUUID } from "node:crypto";
import {
  type ErrorName,
  failure,
  ProtocolError,
  type ProtocolErrorOptions,
  toErrorObject,
} from "@cleveragents/protocol";
import type { AnswerFormat } from "./answer-format.ts";
import { type Headers, type HttpAnswer, jsonAnswer } from "./http-answer.ts";
import { statusOfRefusal } from "./http-status.ts";

/**
 * What this layer itself refuses, as a JSON-RPC error. The body has not been read then, so the id is null and the
 * method unknown: the shape is that of the standard methods.
 */
export function refusal(
  name: ErrorName,
  options: ProtocolErrorOptions = {},
  headers: Headers = {},
  requestId: string = randomUUID(),
): HttpAnswer {
  const context = { family: "a2a", requestId, timestamp: new Date().toISOString() } as const;
  const error = toErrorObject(new ProtocolError(name, options), context);
  return jsonAnswer(statusOfRefusal(name), JSON.stringify(failure(null, error)), headers);
}

/** The server is going away; another replica, or this one when it is back, will answer. */
export function shuttingDown(format: Pick<AnswerFormat, "refusal">): HttpAnswer {
  return format.refusal("ShuttingDown", {}, { "retry-after": "1", connection: "close" });
}
