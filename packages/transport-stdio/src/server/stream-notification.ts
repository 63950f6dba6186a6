import type { RequestId, StreamElement } from "@cleveragents/protocol";

/**
 * An element of a stream as A2A 1.0 has it on this binding. The cursor is not sent: it is the task's id, which stands
 * in the result, with `seq`. Notifications of other dialects are chosen here, by the version of the request.
 */
export function streamNotification(id: RequestId, { seq, result }: StreamElement) {
  return { jsonrpc: "2.0", method: "$/stream", params: { id, seq, result } } as const;
}
