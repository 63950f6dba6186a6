import { type ErrorName, errorCatalog } from "@cleveragents/protocol";
import { expect } from "vitest";

/** A request's text. Members that are undefined are left out. */
export function requestText(method: string, params?: unknown, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

export function notificationText(method: string, params?: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}

/** An answer with this error: its whole frame, its code and its reason in either shape of `data`. */
export function answers(id: unknown, error: ErrorName) {
  const { code, reason } = errorCatalog[error];
  const info = expect.objectContaining({ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason });
  const data = expect.toSatisfy((value: unknown) => {
    const details = Array.isArray(value) ? value : (value as { details?: unknown }).details;
    expect(details).toEqual(expect.arrayContaining([info]));
    return true;
  }, `an ErrorInfo with ${reason}`);
  return { jsonrpc: "2.0", id, error: { code, message: expect.any(String), data } };
}

export const LIST = requestText("ListTasks", {});
export const LISTED = {
  jsonrpc: "2.0",
  id: 1,
  result: expect.objectContaining({ tasks: expect.any(Array) }),
};
