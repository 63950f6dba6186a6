/** States of a task (A2A §4.1.3), in the words of the domain. */
export const TASK_STATES = [
  "submitted",
  "working",
  "input-required",
  "auth-required",
  "completed",
  "failed",
  "canceled",
  "rejected",
] as const;
export type TaskState = (typeof TASK_STATES)[number];

const TERMINAL: ReadonlySet<TaskState> = new Set<TaskState>(["completed", "failed", "canceled", "rejected"]);
/** The states in which a task waits for its human. */
export const INTERRUPTED_STATES: readonly TaskState[] = ["input-required", "auth-required"];

/** A terminal task takes no further event, ever. */
export function isTerminal(state: TaskState): boolean {
  return TERMINAL.has(state);
}

/** An interrupted task waits for somebody outside; blocking sends return here (A2A §3.2.2). */
export function isInterrupted(state: TaskState): boolean {
  return INTERRUPTED_STATES.includes(state);
}

/** Whether a task may go from one state to another. The same state again is allowed: it carries a new message. */
export function canMoveTask(from: TaskState, to: TaskState): boolean {
  if (isTerminal(from)) return false;
  return to !== "submitted" || from === "submitted";
}
