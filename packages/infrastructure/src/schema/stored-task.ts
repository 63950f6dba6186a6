import type { TaskRow } from "@cleveragents/application";
import type { JsonObject, Message } from "@cleveragents/domain";

/** A task's row with its JSON as text. The document is stored beside it. */
export interface StoredTask extends Omit<TaskRow, "statusMessage" | "referenceTaskIds" | "document"> {
  readonly statusMessage: string | null;
  readonly referenceTaskIds: string;
}

export interface StoredTaskWithDocument extends StoredTask {
  readonly document: string | null;
}

/** Every call makes new objects: nothing that is handed out is shared. */
export function toTaskRow(task: StoredTaskWithDocument): TaskRow {
  return {
    taskId: task.taskId,
    contextId: task.contextId,
    principal: task.principal,
    kind: task.kind,
    state: task.state,
    statusMessage: task.statusMessage === null ? null : (JSON.parse(task.statusMessage) as Message),
    statusAt: task.statusAt,
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
    lastSeq: task.lastSeq,
    epoch: task.epoch,
    revision: task.revision,
    runId: task.runId,
    // Nearly every task has none: not worth a parse per row of a list.
    referenceTaskIds: task.referenceTaskIds === "[]" ? [] : (JSON.parse(task.referenceTaskIds) as string[]),
    document: task.document === null ? null : (JSON.parse(task.document) as JsonObject),
  };
}
