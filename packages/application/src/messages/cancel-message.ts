import { isTerminal, TaskNotCancelableError, TaskStateError } from "@cleveragents/domain";
import type { TaskRow, TaskStore } from "../ports/task-store.ts";
import { atRest, messageDocumentOf, toDocument } from "./message-document.ts";

/**
 * Ends a message task: durable when it resolves, and who works on it elsewhere finds its epoch gone. Throws
 * `TaskNotCancelableError` for one that is over.
 */
export async function cancelMessage(store: Pick<TaskStore, "commit">, row: TaskRow): Promise<void> {
  const { taskId } = row;
  if (isTerminal(row.state)) throw new TaskNotCancelableError(taskId, row.state);
  try {
    await store.commit({
      taskId,
      bumpEpoch: true,
      runId: null,
      document: toDocument(atRest(messageDocumentOf(row))),
      events: [{ key: "cancelled", event: { type: "status", state: "canceled" } }],
    });
  } catch (error) {
    if (error instanceof TaskStateError) throw new TaskNotCancelableError(taskId, error.state);
    throw error;
  }
}
