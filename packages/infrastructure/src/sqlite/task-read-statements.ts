import type { TaskHead } from "@cleveragents/application";
import { sql } from "kysely";
import type { StoredTaskWithDocument } from "../schema/stored-task.ts";
import { ANY, selectTasksWithDocuments } from "../schema/task-queries.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { Statement } from "./statement.ts";

/** A head as it is stored: SQLite has no booleans. */
type StoredHead = Omit<TaskHead, "mail"> & { readonly mail: number };

/** Statements that read tasks, compiled once. */
export function taskReadStatements(connection: SqliteConnection) {
  const db = connection.queries;
  const task: Statement<StoredTaskWithDocument> = connection.compiled(() =>
    selectTasksWithDocuments(db).where("t.task_id", "=", ANY),
  );
  const unfinished: Statement<StoredTaskWithDocument> = connection.compiled(() =>
    selectTasksWithDocuments(db)
      .where("t.kind", "=", ANY)
      // Written as in the index that holds just these.
      .where(sql<boolean>`t.state in ('submitted', 'working', 'input-required', 'auth-required')`)
      .orderBy("t.created_at")
      .orderBy("t.task_id"),
  );
  // The condition of the index that holds just these; it begins where the caller's last page ended.
  const heads: Statement<StoredHead> = connection.compiled(() =>
    db
      .selectFrom("tasks as t")
      .select(["t.task_id as taskId", "t.state", "t.created_at as createdAt", "t.epoch", "t.run_id as runId"])
      .select(
        sql<number>`exists (select 1 from task_inbox as i where i.task_id = t.task_id and i.taken_at is null)`.as(
          "mail",
        ),
      )
      .where("t.kind", "=", ANY)
      .where(sql<boolean>`t.state in ('submitted', 'working', 'input-required', 'auth-required')`)
      .where(sql<boolean>`(t.created_at, t.task_id) > (${ANY}, ${ANY})`)
      .orderBy("t.created_at")
      .orderBy("t.task_id")
      .limit(ANY),
  );
  const count = connection.compiled(() =>
    db
      .selectFrom("task_counts")
      .select((eb) => ["state", eb.fn.sum<number>("tasks").as("tasks")])
      .where("kind", "=", ANY)
      .groupBy("state"),
  );
  const inbox = connection.compiled(() =>
    db
      .selectFrom("task_inbox")
      .select(["entry_key as key", "body"])
      .where("task_id", "=", ANY)
      .where("taken_at", "is", null)
      .orderBy("revision")
      .orderBy("ordinal"),
  );
  const message = connection.compiled(() =>
    db
      .selectFrom("task_messages")
      .select("task_id as taskId")
      .where("principal", "=", ANY)
      .where("message_id", "=", ANY),
  );
  const shared = connection.compiled(() =>
    db.selectFrom("shared_documents").select(["revision", "body"]).where("id", "=", ANY),
  );
  return { shared, task, unfinished, heads, count, inbox, message };
}
