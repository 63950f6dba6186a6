import type { TaskPage, TaskQuery } from "@cleveragents/application";
import { type StoredTaskWithDocument, toTaskRow } from "../schema/stored-task.ts";
import { placesQuery, totalQuery } from "../schema/task-list-queries.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { Statement } from "./statement.ts";

/**
 * A page by keyset, and how many there are in all; both as of one moment. Costs the same for few tasks and many.
 * `task` reads one by its id.
 */
export function listTasks(
  connection: SqliteConnection,
  task: Statement<StoredTaskWithDocument>,
  query: TaskQuery,
): TaskPage {
  if (query.states?.length === 0) return { rows: [], total: 0 };
  return connection.reading(() => {
    const db = connection.queries;
    const limit = Math.max(0, query.limit);
    const places = limit === 0 ? [] : connection.rows(placesQuery(db, query, limit + 1));
    const page = places.slice(0, limit);
    const last = page.at(-1);
    return {
      rows: page.flatMap(({ task_id }) => task.get(task_id) ?? []).map(toTaskRow),
      ...(last && places.length > limit && { next: { statusAt: last.status_at, taskId: last.task_id } }),
      total: connection.rows(totalQuery(db, query))[0]?.tasks ?? 0,
    };
  });
}
