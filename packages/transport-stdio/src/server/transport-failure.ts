import { randomUUID } from "node:crypto";
import {
  failure,
  type JsonRpcResponse,
  methods,
  ProtocolError,
  type ProtocolErrorOptions,
  type RequestId,
  resolveMethod,
  toErrorObject,
} from "@cleveragents/protocol";

/** The error response of a call that the transport itself ends. */
export function transportFailure(
  id: RequestId,
  method: string,
  kind: "InternalError" | "RequestCancelled" | "ShuttingDown",
  options: ProtocolErrorOptions = {},
): JsonRpcResponse {
  const name = resolveMethod(method);
  const family = name === undefined ? "a2a" : methods[name].family;
  const context = { family, requestId: randomUUID(), timestamp: new Date().toISOString() };
  return failure(id, toErrorObject(new ProtocolError(kind, options), context));
}
