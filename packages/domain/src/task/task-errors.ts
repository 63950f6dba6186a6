import type { TaskState } from "./task-state.ts";

export class TaskNotFoundError extends Error {
  override readonly name = "TaskNotFoundError";
  readonly taskId: string;
  constructor(taskId: string) {
    super(`no task ${taskId}`);
    this.taskId = taskId;
  }
}

export class TaskNotCancelableError extends Error {
  override readonly name = "TaskNotCancelableError";
  readonly taskId: string;
  readonly state: TaskState;
  constructor(taskId: string, state: TaskState) {
    super(`task ${taskId} is ${state}`);
    this.taskId = taskId;
    this.state = state;
  }
}

/** The task's state does not allow what was asked, e.g. a message to a finished task. */
export class TaskStateError extends Error {
  override readonly name = "TaskStateError";
  readonly taskId: string;
  readonly state: TaskState;
  readonly why: string;
  constructor(taskId: string, state: TaskState, why: string) {
    super(`task ${taskId} is ${state}: ${why}`);
    this.taskId = taskId;
    this.state = state;
    this.why = why;
  }
}

/** The writer's view of the task is out of date: another writer (a newer epoch, a cancel) was first. */
export class FencedError extends Error {
  override readonly name = "FencedError";
  readonly taskId: string;
  constructor(taskId: string) {
    super(`task ${taskId} has moved on`);
    this.taskId = taskId;
  }
}
