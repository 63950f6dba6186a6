import type { JsonRpcRequest } from "@cleveragents/protocol";

/** What an element of a task's stream is about: its task, and the state that it tells, in A2A 1.0's words. */
export interface StreamPosition {
  readonly taskId: string | undefined;
  readonly state: string | undefined;
}

const TERMINAL: ReadonlySet<string> = new Set(["COMPLETED", "FAILED", "CANCELED", "REJECTED"]);
const INTERRUPTED: ReadonlySet<string> = new Set(["INPUT_REQUIRED", "AUTH_REQUIRED"]);
const SUBSCRIPTIONS: ReadonlySet<string> = new Set([
  "SubscribeToTask",
  "tasks/resubscribe",
  "tasks/subscribe",
]);

/** Whether a method subscribes to one task, by its name in any version. */
export function isSubscription(method: string): boolean {
  return SUBSCRIPTIONS.has(method);
}

/** Reads a `StreamResponse` (A2A §3.2.3), or the object with a `kind` that earlier versions have in its place. */
export function positionOf(result: unknown): StreamPosition {
  const task = taskIn(result);
  const { statusUpdate, artifactUpdate, message, kind } = record(result);
  const update = record(kind === undefined ? (statusUpdate ?? artifactUpdate ?? message) : result);
  const id = task?.["id"] ?? update["taskId"];
  const state = record((task ?? update)["status"])["state"];
  return {
    taskId: typeof id === "string" && id !== "" ? id : undefined,
    state: typeof state === "string" ? stateName(state) : undefined,
  };
}

/** `TASK_STATE_INPUT_REQUIRED`, and `input-required` before A2A 1.0. */
function stateName(state: string): string {
  return state
    .replace(/^TASK_STATE_/, "")
    .replaceAll("-", "_")
    .toUpperCase();
}

export function taskIn(result: unknown): Record<string, unknown> | undefined {
  const { kind, task } = record(result);
  if (kind === "task") return record(result);
  return task === undefined ? undefined : record(task);
}

/** Whether a stream of this method ends after this element: what ends earlier was let go by a server that stops. */
export function endsStream(method: string, result: unknown): boolean {
  const { kind, final } = record(result);
  // A stream of notifications says it itself.
  if (kind === undefined && final === true) return true;
  const { state = "" } = positionOf(result);
  return isMessage(result) || TERMINAL.has(state) || isInterrupted(method, result);
}

/** Whether it ends there although its task goes on: what was sent is answered, and the task waits for more. */
export function isInterrupted(method: string, result: unknown): boolean {
  return !isSubscription(method) && INTERRUPTED.has(positionOf(result).state ?? "");
}

function isMessage(result: unknown): boolean {
  const { kind, message } = record(result);
  return kind === undefined ? message !== undefined : kind === "message";
}

/** The first element of a stream of notifications. */
export function isSubscribed(result: unknown): boolean {
  return record(result)["subscription"] !== undefined;
}

export function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** A service parameter by its name, which peers write in any case. */
export function parameterOf(request: Pick<JsonRpcRequest, "a2a">, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(request.a2a ?? {}).find(([key]) => key.toLowerCase() === wanted)?.[1];
}
