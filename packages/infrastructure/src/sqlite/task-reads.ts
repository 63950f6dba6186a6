import type { TaskReads } from "../schema/decide.ts";
import type { StoredTask } from "../schema/stored-task.ts";
import { ANY, selectTasks } from "../schema/task-queries.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { Statement } from "./statement.ts";
import type { TaskGroup } from "./task-group.ts";

/** What a command is decided on, read inside its transaction. */
export class SqliteTaskReads implements TaskReads {
  readonly #group: TaskGroup;
  readonly #task: Statement<StoredTask>;
  readonly #event: Statement;
  readonly #document: Statement;
  readonly #entry: Statement<{ body: string; takenAt: number | null }>;
  readonly #message: Statement<{ taskId: string }>;
  readonly #shared: Statement<{ revision: number }>;

  constructor(connection: SqliteConnection, group: TaskGroup) {
    this.#group = group;
    const db = connection.queries;
    this.#task = connection.compiled(() => selectTasks(db).where("t.task_id", "=", ANY));
    this.#event = connection.compiled(() =>
      db.selectFrom("task_events").select("seq").where("task_id", "=", ANY).where("event_key", "=", ANY),
    );
    this.#document = connection.compiled(() =>
      db.selectFrom("task_documents").select("task_id").where("task_id", "=", ANY).where("body", "=", ANY),
    );
    this.#entry = connection.compiled(() =>
      db
        .selectFrom("task_inbox")
        .select(["body", "taken_at as takenAt"])
        .where("task_id", "=", ANY)
        .where("entry_key", "=", ANY),
    );
    this.#shared = connection.compiled(() =>
      db.selectFrom("shared_documents").select("revision").where("id", "=", ANY),
    );
    this.#message = connection.compiled(() =>
      db
        .selectFrom("task_messages")
        .select("task_id as taskId")
        .where("principal", "=", ANY)
        .where("message_id", "=", ANY),
    );
  }

  task(taskId: string): StoredTask | undefined {
    return this.#group.newest(taskId) ?? this.#task.get(taskId);
  }
  isLogged(taskId: string, eventKey: string): boolean {
    return this.#event.get(taskId, eventKey) !== undefined;
  }
  isDocument(taskId: string, text: string): boolean {
    return this.#document.get(taskId, text) !== undefined;
  }
  inboxEntry(taskId: string, key: string): { readonly body: string; readonly taken: boolean } | undefined {
    const entry = this.#entry.get(taskId, key);
    return entry && { body: entry.body, taken: entry.takenAt !== null };
  }
  sharedRevision(id: string): number {
    return this.#shared.get(id)?.revision ?? 0;
  }
  taskOfMessage(principal: string, messageId: string): string | undefined {
    return this.#message.get(principal, messageId)?.taskId;
  }
}
