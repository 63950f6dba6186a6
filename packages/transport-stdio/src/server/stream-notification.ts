import type { RequestId, StreamElement } from "@cleveragents/protocol";

/** Notifications before A2A 1.0, by the `kind` of what they carry. */
const METHODS: Readonly<Record<string, string>> = {
  task: "task/snapshot",
  message: "task/message",
  "status-update": "task/statusUpdate",
  "artifact-update": "task/artifactUpdate",
};

/**
 * An element of a stream as a notification. The cursor is not sent: it is the task's id, which stands in the result,
 * with `seq`. An element that A2A 0.3 writes is a notification of its own name: the 0.3 object, with the state that it
 * tells, the request that it belongs to and its number beside the object's members. One that is a notification
 * already has the request and its cursor beside its own parameters, among which its number is.
 */
export function streamNotification(
  id: RequestId,
  { cursor, seq, event, result }: StreamElement,
  version?: "0.3",
): { readonly jsonrpc: "2.0"; readonly method: string; readonly params: object } {
  if (event !== undefined) {
    const params = { ...(result as object), requestId: id, cursor }; // parameters are an object
    return { jsonrpc: "2.0", method: event, params };
  }
  const method = version === undefined ? undefined : METHODS[kindOf(result) ?? ""];
  if (method === undefined) return { jsonrpc: "2.0", method: "$/stream", params: { id, seq, result } };
  const state = stateOf(result);
  const params = {
    ...(result as object), // it has a kind, so it is one
    ...(state === undefined ? {} : { state }),
    requestId: id,
    sequence: seq,
  };
  return { jsonrpc: "2.0", method, params };
}

function kindOf(result: unknown): string | undefined {
  if (typeof result !== "object" || result === null || !("kind" in result)) return undefined;
  return typeof result.kind === "string" && Object.hasOwn(METHODS, result.kind) ? result.kind : undefined;
}

function stateOf(result: unknown): unknown {
  const { status } = result as { readonly status?: { readonly state?: unknown } };
  return status?.state;
}
