import { sql } from "kysely";
import type { StoredTaskWithDocument } from "../schema/stored-task.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { Statement } from "./statement.ts";
import { ANY, selectTasksWithDocuments } from "./task-queries.ts";

/** Statements that read tasks, compiled once. */
export function taskReadStatements(connection: SqliteConnection) {
  const db = connection.queries;
  const task: Statement<StoredTaskWithDocument> = connection.compiled(
    selectTasksWithDocuments(db).where("t.task_id", "=", ANY),
  );
  const unfinished: Statement<StoredTaskWithDocument> = connection.compiled(
    selectTasksWithDocuments(db)
      .where("t.kind", "=", ANY)
      // Written as in the index that holds just these.
      .where(sql<boolean>`t.state in ('submitted', 'working', 'input-required', 'auth-required')`)
      .orderBy("t.created_at")
      .orderBy("t.task_id"),
  );
  const inbox = connection.compiled(
    db
      .selectFrom("task_inbox")
      .select(["entry_key as key", "body"])
      .where("task_id", "=", ANY)
      .where("taken_at", "is", null)
      .orderBy("revision")
      .orderBy("ordinal"),
  );
  const message = connection.compiled(
    db
      .selectFrom("task_messages")
      .select("task_id as taskId")
      .where("principal", "=", ANY)
      .where("message_id", "=", ANY),
  );
  return { task, unfinished, inbox, message };
}
