import type { TaskHead, TaskQuery } from "@cleveragents/application";
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";
import type { StoredTaskWithDocument } from "../schema/stored-task.ts";
import type { Tables } from "../schema/tables.ts";
import { placesQuery, totalQuery } from "../schema/task-list-queries.ts";
import { ANY, selectTasksWithDocuments } from "../schema/task-queries.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import type { Statement } from "./statement.ts";

/** About how much text one page of events holds, whatever its number of events. */
const PAGE_BYTES = 1024 * 1024;

interface SnapshotRow extends StoredTaskWithDocument {
  /** Bodies of the newest events that have messages, oldest first; null if there are none. */
  readonly messages: readonly string[] | null;
  /** Bodies of each artifact's chunks; null if there are none. */
  readonly artifacts: readonly (readonly string[])[] | null;
}
interface EventRow {
  readonly seq: number;
  readonly key: string;
  readonly at: number;
  readonly body: string;
}

/** What is read of tasks, each in one statement: all of it is of one moment. */
export function taskStatements(connection: PostgresConnection) {
  const db = connection.queries;
  const task: Statement<StoredTaskWithDocument> = connection.compiled(
    selectTasksWithDocuments(db).where("t.task_id", "=", ANY),
  );
  const snapshot: Statement<SnapshotRow> = connection.compiled(
    selectTasksWithDocuments(db)
      .where("t.task_id", "=", ANY)
      .select([newestMessages.as("messages"), artifactChunks.as("artifacts")]),
  );
  const unfinished: Statement<StoredTaskWithDocument> = connection.compiled(
    selectTasksWithDocuments(db)
      .where("t.kind", "=", ANY)
      .where(unfinishedState)
      .orderBy("t.created_at")
      .orderBy("t.task_id"),
  );
  const inbox: Statement<{ key: string; body: string }> = connection.compiled(
    db
      .selectFrom("task_inbox")
      .select(["entry_key as key", "body"])
      .where("task_id", "=", ANY)
      .where("taken_at", "is", null)
      .orderBy("revision")
      .orderBy("ordinal"),
  );
  const message: Statement<{ taskId: string }> = connection.compiled(
    db
      .selectFrom("task_messages")
      .select("task_id as taskId")
      .where("principal", "=", ANY)
      .where("message_id", "=", ANY),
  );
  const shared: Statement<{ revision: number; body: string }> = connection.compiled(
    db
      .selectFrom("shared_documents")
      .select(["revision", "body"])
      .where("id", "=", ANY)
      // Revision 0 holds the place of one that is not there.
      .where(sql<boolean>`revision > 0`),
  );
  const events: Statement<EventRow> = connection.compiled(bind(db, eventPage));
  /** Of the tasks with these ids and, if so wanted, of all that are not finished. */
  const reached: Statement<{ taskId: string; lastSeq: number }> = connection.compiled(
    bind(
      db,
      sql`select t.task_id as "taskId", t.last_seq as "lastSeq" from tasks t
        where t.task_id = any(${ANY}::text[]) or (${ANY}::boolean and ${unfinishedState})`,
    ),
  );
  const heads: Statement<TaskHead> = connection.compiled(
    db
      .selectFrom("tasks as t")
      .select(["t.task_id as taskId", "t.state", "t.created_at as createdAt", "t.epoch", "t.run_id as runId"])
      .select(
        sql<boolean>`exists (select from task_inbox i where i.task_id = t.task_id and i.taken_at is null)`.as(
          "mail",
        ),
      )
      .where("t.kind", "=", ANY)
      .where(unfinishedState)
      // It begins where the caller's last page ended.
      .where(sql<boolean>`(t.created_at, t.task_id) > (${ANY}, ${ANY})`)
      .orderBy("t.created_at")
      .orderBy("t.task_id")
      .limit(ANY),
  );
  const count: Statement<{ tasks: number }> = connection.compiled(
    bind(
      db,
      sql`select coalesce(sum(tasks), 0)::bigint as tasks from task_counts
        where kind = ${ANY} and state = any(${ANY}::text[])`,
    ),
  );
  const remove: Statement<{ taskId: string }> = connection.compiled(
    bind(
      db,
      sql`with gone as (
          delete from tasks where task_id = ${ANY} and state in ('completed', 'failed', 'canceled', 'rejected')
          returning task_id, principal, kind, state
        ), counted as (
          update task_counts c set tasks = c.tasks - 1 from gone g
          where c.principal = g.principal and c.kind = g.kind and c.state = g.state
        )
        select task_id as "taskId" from gone`,
    ),
  );
  return { shared, task, snapshot, unfinished, heads, count, inbox, message, events, reached, remove };
}

// Written as in the index that holds just these.
const unfinishedState = sql<boolean>`t.state in ('submitted', 'working', 'input-required', 'auth-required')`;

/** Parameter: how many events, all if null. */
const newestMessages = sql<readonly string[] | null>`(
  select json_agg(m.body order by m.seq) from (
    select e.seq, e.body from task_events e
    where e.task_id = t.task_id and e.messages > 0 order by e.seq desc limit ${ANY}) m)`;

/** Parameter: whether they are wanted. In order of first appearance. */
const artifactChunks = sql<readonly (readonly string[])[] | null>`(
  select json_agg((
    select json_agg(e.body order by e.seq) from task_events e
    where e.task_id = a.task_id and e.artifact_id = a.artifact_id and e.seq >= a.start_seq) order by a.first_seq)
  from task_artifacts a where a.task_id = t.task_id and ${ANY}::boolean)`;

/** Parameters: the task, the sequence before the page, how many events at most. At least one, if there is one. */
const eventPage = sql<EventRow>`
  select seq, key, at, body from (
    select seq, event_key as key, logged_at as at, body,
      row_number() over page as n, sum(octet_length(body)) over page as size
    from (
      select seq, event_key, logged_at, body from task_events
      where task_id = ${ANY} and seq > ${ANY} order by seq limit ${ANY}) next
    window page as (order by seq)) numbered
  where n = 1 or size <= ${sql.lit(PAGE_BYTES)} order by seq`;

export interface ListRow {
  readonly total: number;
  readonly rows: readonly StoredTaskWithDocument[] | null;
}

/** One row: a page, with one task more if there is one, and how many there are in all. */
export function listQuery(db: Kysely<Tables>, query: TaskQuery) {
  const places = placesQuery(db, query, Math.max(0, query.limit) + 1);
  const rows = selectTasksWithDocuments(db).innerJoin(places.as("p"), "p.task_id", "t.task_id");
  return bind(
    db,
    sql<ListRow>`select coalesce((${totalQuery(db, query)}), 0)::bigint as total,
      (select json_agg(r order by r."statusAt" desc, r."taskId" desc) from (${rows}) r) as rows`,
  );
}

function bind<Row>(db: Kysely<Tables>, query: RawBuilder<Row>): { compile(): CompiledQuery<Row> } {
  return { compile: () => query.compile(db) };
}
