import type { ErrorObject } from "../errors/protocol-error.ts";

/** JSON-RPC 2.0 §4: a string, an integer or null. 0 and "" are ids; only an absent member makes a notification. */
export type RequestId = string | number | null;

export interface JsonRpcRequest {
  readonly jsonrpc: "2.0";
  readonly id?: RequestId;
  readonly method: string;
  readonly params?: unknown;
  /** Service parameters, where the binding has no headers (stdio). */
  readonly a2a?: Readonly<Record<string, string>>;
}

export type JsonRpcResponse =
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly result: unknown }
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly error: ErrorObject };

export function success(id: RequestId, result: unknown): JsonRpcResponse {
  return { jsonrpc: "2.0", id, result };
}

export function failure(id: RequestId, error: ErrorObject): JsonRpcResponse {
  return { jsonrpc: "2.0", id, error };
}
