import { ANY } from "../schema/task-queries.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

/** What takes a task out: its log and what else hangs on it goes with its row. */
export function taskRemoveStatements(connection: SqliteConnection) {
  const db = connection.queries;
  return {
    task: connection.compiled(() => db.deleteFrom("tasks").where("task_id", "=", ANY)),
    count: connection.compiled(() =>
      db
        .updateTable("task_counts")
        .set((eb) => ({ tasks: eb("tasks", "-", eb.lit(1)) }))
        .where("principal", "=", ANY)
        .where("kind", "=", ANY)
        .where("state", "=", ANY),
    ),
  };
}
