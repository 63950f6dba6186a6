import type { FeedFilter, FeedPage, FeedPosition } from "@cleveragents/application";
import { sql } from "kysely";
import { FEED_CHARACTERS, FEED_ROWS, type FeedRow, feedPage } from "../schema/feed-page.ts";
import { ANY } from "../schema/task-queries.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { Statement } from "./statement.ts";

/** How many rows are read before it is known how long they are. */
const ROWS_AT_ONCE = 32;

/**
 * The events of all tasks in the order of their commits, which is that of their rows: there is one writer, and a new
 * row's id is beyond all others. What makes the file anew may number the rows anew, so an event that is named by a
 * position is looked up.
 */
export class SqliteTaskFeed {
  readonly #newest: Statement<{ position: number | null }>;
  readonly #place: Statement<{ position: number }>;
  readonly #rows: Statement<FeedRow>;

  constructor(connection: SqliteConnection) {
    const db = connection.queries;
    const rowid = sql<number>`e.rowid`;
    this.#newest = connection.compiled(() =>
      db.selectFrom("task_events as e").select(sql<number | null>`max(e.rowid)`.as("position")),
    );
    this.#place = connection.compiled(() =>
      db
        .selectFrom("task_events as e")
        .select(rowid.as("position"))
        .where("e.task_id", "=", ANY)
        .where("e.seq", "=", ANY),
    );
    this.#rows = connection.compiled(() =>
      db
        .selectFrom("task_events as e")
        .innerJoin("tasks as t", "t.task_id", "e.task_id")
        .select([
          rowid.as("position"),
          "e.task_id as taskId",
          "e.seq",
          "e.event_key as key",
          "e.logged_at as at",
          sql<string>`case when coalesce(${ANY}, t.principal) = t.principal then e.body else '' end`.as(
            "body",
          ),
          "t.principal",
          "t.context_id as contextId",
        ])
        .where(rowid, ">", ANY)
        .orderBy(rowid)
        .limit(ANY),
    );
  }

  page(after: FeedPosition | "now", filter: FeedFilter, limit = FEED_ROWS): FeedPage {
    if (after === "now") {
      const at = this.#newest.get()?.position ?? 0;
      return { events: [], next: { at, taskId: "", seq: 0 }, ahead: "nothing" };
    }
    const there = after.taskId === "" ? undefined : this.#place.get(after.taskId, after.seq);
    const rows: FeedRow[] = [];
    let more = true;
    for (let size = 0; more && rows.length < limit && size < FEED_CHARACTERS; ) {
      const wanted = Math.min(ROWS_AT_ONCE, limit - rows.length);
      const found = this.#rows.all(
        filter.principal,
        rows.at(-1)?.position ?? there?.position ?? after.at,
        wanted,
      );
      rows.push(...found);
      size += found.reduce((sum, { body }) => sum + body.length, 0);
      more = found.length === wanted;
    }
    return feedPage(rows, after, filter, more ? "more" : "nothing");
  }
}
