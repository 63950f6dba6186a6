import { isRequestId, type RequestId } from "@cleveragents/protocol";
import { record } from "./stream-position.ts";

/** An element of a stream as a message of this binding has it. */
export interface ReceivedElement {
  /** Of the request. */
  readonly id: RequestId;
  readonly seq: unknown;
  readonly result: unknown;
  /** Of an element that is a notification of its own. */
  readonly event?: string;
  readonly cursor?: string;
}

const BEFORE_1_0: ReadonlySet<unknown> = new Set([
  "task/snapshot",
  "task/message",
  "task/statusUpdate",
  "task/artifactUpdate",
]);

/** Undefined for a message that is no element. Before A2A 1.0 the object itself is the notification's parameters. */
export function readElement(message: Record<string, unknown>): ReceivedElement | undefined {
  const params = record(message["params"]);
  if (message["method"] === "$/stream") {
    const { id, seq, result } = params;
    return isRequestId(id) ? { id, seq, result } : undefined;
  }
  const own = ownNotification(message["method"], params);
  if (own !== undefined) return own;
  if (!BEFORE_1_0.has(message["method"])) return undefined;
  const { requestId, sequence, state: _, ...result } = params;
  return isRequestId(requestId) ? { id: requestId, seq: sequence, result } : undefined;
}

/** Notifications of `_cleveragents/event/subscribe` say their cursor. */
function ownNotification(
  method: unknown,
  { requestId, cursor, ...result }: Record<string, unknown>,
): ReceivedElement | undefined {
  if (typeof method !== "string" || typeof cursor !== "string" || !isRequestId(requestId)) return undefined;
  return { id: requestId, seq: result["sequence"], result, event: method, cursor };
}
