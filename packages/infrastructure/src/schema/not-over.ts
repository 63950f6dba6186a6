import { type TaskState, TaskStateError } from "@cleveragents/domain";

/** Why a task that somebody may still write to is not removed. */
export function notOver(taskId: string, state: TaskState): TaskStateError {
  return new TaskStateError(taskId, state, "it is not over");
}
