import { randomUUID } from "node:crypto";
import {
  type A2aVersion,
  type ErrorObject,
  type MethodRow,
  ProtocolError,
  toErrorObject,
} from "@cleveragents/protocol";
import type { AnswerFormat } from "./answer-format.ts";
import { insufficientScope } from "./credentials.ts";
import { type Headers, type HttpAnswer, jsonAnswer } from "./http-answer.ts";
import { missingScope, statusOfError, statusOfRefusal, statusWord } from "./http-status.ts";
import { resultJson } from "./result-json.ts";

type Family = MethodRow["family"];

/**
 * HTTP+JSON (A2A §11): results as they are; errors as `google.rpc.Status`, under 0.3 as the error of JSON-RPC alone.
 * `mediaType` is what the caller speaks, `application/a2a+json` or `application/json`.
 */
export function restFormat(mediaType: string, family: Family, version: A2aVersion = "1.0"): AnswerFormat {
  const write = version === "0.3" ? (error: ErrorObject) => error : toStatus;
  const failed = (
    error: ErrorObject,
    headers: Headers,
    status = statusOfError(error, family),
  ): HttpAnswer => {
    const challenge =
      status === 403 ? { "www-authenticate": insufficientScope(missingScope(error)) } : undefined;
    return typed(jsonAnswer(status, JSON.stringify(write(error, status)), { ...challenge, ...headers }));
  };
  const typed = (answer: HttpAnswer): HttpAnswer => ({
    ...answer,
    headers: { ...answer.headers, "content-type": mediaType },
  });
  return {
    one: (response, headers) =>
      "error" in response
        ? failed(response.error, headers)
        : typed(jsonAnswer(200, resultJson(response.result ?? {}), headers)),
    element: (_id, result) => result,
    failure(response) {
      const error = "error" in response ? response.error : { code: -32603, message: "Internal error" };
      return JSON.stringify(write(error, statusOfError(error, family)));
    },
    refusal(name, options = {}, headers = {}, requestId = randomUUID()) {
      const error = toErrorObject(new ProtocolError(name, options), {
        family,
        requestId,
        timestamp: new Date().toISOString(),
      });
      // A media type is 400 here wherever it stands (A2A §5.4).
      return failed(error, headers, name === "ContentTypeNotSupported" ? 400 : statusOfRefusal(name));
    },
  };
}

/** A2A §11.6. The facts of a platform error stand beside its details, as on JSON-RPC. */
function toStatus(error: ErrorObject, status: number): object {
  const { code, message, data } = error;
  const own = typeof data === "object" && data !== null && !Array.isArray(data);
  const { details = [], ...facts } = own ? (data as Record<string, unknown>) : { details: data ?? [] };
  return {
    error: {
      code: status,
      status: statusWord(code, status),
      message,
      details: [...(details as unknown[]), ...(own ? [{ "@type": STRUCT, value: facts }] : [])],
    },
  };
}

const STRUCT = "type.googleapis.com/google.protobuf.Struct";
