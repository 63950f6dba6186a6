import type { StandardMethod } from "./dialect.ts";

const TERMINAL: ReadonlySet<unknown> = new Set([
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
]);

/**
 * Whether a status with this 1.0 state is the last event of a method's stream: every stream ends with its task, one
 * that a message began also where the task asks for an answer. It goes on while the task waits for authorisation,
 * which comes some other way (A2A §7.6.1).
 */
export function endsStream(method: StandardMethod, state: unknown): boolean {
  return TERMINAL.has(state) || (method === "SendStreamingMessage" && state === "TASK_STATE_INPUT_REQUIRED");
}
