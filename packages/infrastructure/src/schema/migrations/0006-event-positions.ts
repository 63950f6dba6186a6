import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The order of all tasks' events. In SQLite it is that of the rows. PostgreSQL notes the transaction that wrote them,
 * by a default, so that servers of the version before do too; what is there already comes before all that follows.
 *
 * `settle_events_1` is for a database that was restored into another server, which counts transactions anew: rows
 * would be ahead of it and never be shown. They keep their order and move behind it.
 */
export const eventPositions: Migration = {
  async up(db: Kysely<never>) {
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
    await db.schema
      .alterTable("task_events")
      .addColumn("xid", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
    await sql`alter table task_events alter column xid
      set default pg_current_xact_id()::text::bigint`.execute(db);
    await db.schema
      .createIndex("task_events_feed")
      .on("task_events")
      .columns(["xid", "task_id", "seq"])
      .execute();
    await sql.raw(SETTLE).execute(db);
  },
};

const SETTLE = `
create function settle_events_1() returns void language plpgsql as $$
declare
  v_newest bigint;
  v_next bigint;
begin
  -- The limit is read after what is held against it: each statement has a snapshot of its own.
  select max(xid) into v_newest from task_events;
  v_next := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
  if v_newest is null or v_newest < v_next then return; end if;
  lock table task_events in exclusive mode;
  -- Another server may have been first.
  select max(xid) into v_newest from task_events;
  v_next := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
  if v_newest < v_next then return; end if;
  update task_events set xid = xid - (v_newest - v_next + 1);
end $$;
`;
