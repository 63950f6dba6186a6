import type { FeedFilter, FeedPage, FeedPosition } from "@cleveragents/application";
import { sql } from "kysely";
import { FEED_CHARACTERS, FEED_ROWS, type FeedRow, feedPage } from "../schema/feed-page.ts";
import { ANY } from "../schema/task-queries.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import type { Statement } from "./statement.ts";

/** A row's own members are all null where there is none. */
type Row = { readonly [K in keyof FeedRow]: FeedRow[K] | null } & {
  /** How many rows there were before the page was cut to its size. */
  readonly found: number;
  /** Whether there are rows that are not settled. */
  readonly behind: boolean;
};

/**
 * The events of all tasks, ordered by the transaction that wrote them, then by task and sequence. Transactions get
 * their numbers in one order and commit in another: a row is shown once no transaction of a lower number is open, and
 * from then on nothing can come before it.
 */
export class PostgresTaskFeed {
  readonly #horizon: Statement<{ horizon: number }>;
  readonly #place: Statement<{ position: number }>;
  readonly #rows: Statement<Row>;

  constructor(connection: PostgresConnection) {
    const db = connection.queries;
    this.#horizon = connection.compiled({ compile: () => sql<{ horizon: number }>`${HORIZON}`.compile(db) });
    this.#place = connection.compiled({
      compile: () =>
        sql<{ position: number }>`select xid as position from task_events
          where task_id = ${ANY} and seq = ${ANY}`.compile(db),
    });
    this.#rows = connection.compiled({ compile: () => PAGE.compile(db) });
  }

  async page(after: FeedPosition | "now", filter: FeedFilter, limit = FEED_ROWS): Promise<FeedPage> {
    if (after === "now") {
      const at = (await this.#horizon.get())?.horizon ?? 0;
      return { events: [], next: { at, taskId: "", seq: 0 }, ahead: "nothing" };
    }
    const there = after.taskId === "" ? undefined : await this.#place.get(after.taskId, after.seq);
    const at = there?.position ?? after.at;
    const rows = await this.#rows.all(filter.principal, at, after.taskId, after.seq, limit);
    const settled = rows.filter(({ position }) => position !== null) as readonly FeedRow[]; // all members or none
    const found = rows[0]?.found ?? 0;
    const ahead =
      found === limit || found > settled.length ? "more" : rows[0]?.behind === true ? "soon" : "nothing";
    return feedPage(settled, after, filter, ahead);
  }
}

const HORIZON = sql`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon`;

/** One statement has one snapshot: what it shows of the log and what it says of open transactions belong together. */
const PAGE = sql<Row>`
  select e.xid as position, e.task_id as "taskId", e.seq, e.key, e.at, e.body, e.principal, e.context_id as "contextId",
    coalesce(e.found, 0) as found, coalesce((select max(xid) from task_events) >= h.horizon, false) as behind
  from (${HORIZON}) h left join (
    select *, count(*) over () as found, row_number() over page as n, sum(octet_length(body)) over page as size
    from (
      select f.xid, f.task_id, f.seq, f.event_key as key, f.logged_at as at, t.principal, t.context_id,
        case when coalesce(${ANY}::text, t.principal) = t.principal then f.body else '' end as body
      from (
        select * from task_events
        where (xid, task_id, seq) > (${ANY}::bigint, ${ANY}::text, ${ANY}::bigint)
          and xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
        order by xid, task_id, seq limit ${ANY}) f
      join tasks t on t.task_id = f.task_id) rows
    window page as (order by xid, task_id, seq)) e on e.n = 1 or e.size <= ${sql.lit(FEED_CHARACTERS)}
  order by e.xid, e.task_id, e.seq`;
