import { isDeepStrictEqual } from "node:util";
import type { TaskEvent } from "@cleveragents/domain";
import { columnsOf, LogProjection } from "../schema/project-log.ts";
import type { StoredTask } from "../schema/stored-task.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

/** Something beside the log that does not follow from it. */
export interface ProjectionMismatch {
  /** Undefined for the totals. */
  readonly taskId: string | undefined;
  readonly what: string;
  readonly stored: unknown;
  readonly logged: unknown;
}

const PAGE = 500;

interface EntryRow {
  readonly seq: number;
  readonly at: number;
  readonly body: string;
  readonly artifactId: string | null;
  readonly messages: number;
}

/**
 * Compares what is kept beside the logs with what the logs say: rows, artifacts, numbering, totals. Empty when all is
 * well. Reads a file that nobody writes meanwhile, or one moment of an open connection.
 */
export function checkProjections(file: string | SqliteConnection): readonly ProjectionMismatch[] {
  if (typeof file !== "string") return file.reading(() => [...mismatches(file)]);
  const connection = new SqliteConnection(file, { readOnly: true });
  try {
    return checkProjections(connection);
  } finally {
    connection.close();
  }
}

function* mismatches(connection: SqliteConnection): Generator<ProjectionMismatch> {
  const totals = new Map<string, number>();
  for (const task of tasksOf(connection)) {
    const key = JSON.stringify([task.principal, task.kind, task.state]);
    totals.set(key, (totals.get(key) ?? 0) + 1);
    yield* taskMismatches(connection, task);
  }
  const stored = connection
    .statement<{ principal: string; kind: string; state: string; tasks: number }>(
      "select principal, kind, state, tasks from task_counts where tasks <> 0",
    )
    .all();
  const counted = new Map(
    stored.map(({ principal, kind, state, tasks }) => [JSON.stringify([principal, kind, state]), tasks]),
  );
  for (const key of new Set([...totals.keys(), ...counted.keys()])) {
    if (totals.get(key) !== counted.get(key))
      yield { taskId: undefined, what: `total ${key}`, stored: counted.get(key), logged: totals.get(key) };
  }
  const orphan = connection.statement<{ taskId: string }>(
    "select distinct task_id as taskId from task_events where task_id not in (select task_id from tasks)",
  );
  for (const { taskId } of orphan.all())
    yield { taskId, what: "task", stored: undefined, logged: "a log without a task" };
}

function* taskMismatches(connection: SqliteConnection, task: StoredTask): Generator<ProjectionMismatch> {
  const { taskId } = task;
  const projection = new LogProjection();
  let expected = 1;
  for (const entry of entriesOf(connection, taskId)) {
    if (entry.seq !== expected) yield { taskId, what: "sequence", stored: entry.seq, logged: expected };
    expected = entry.seq + 1;
    const { artifactId, messages } = entry;
    const columns = columnsOf(JSON.parse(entry.body) as TaskEvent);
    if (!isDeepStrictEqual(columns, { artifactId, messages }))
      yield {
        taskId,
        what: `columns of entry ${entry.seq}`,
        stored: { artifactId, messages },
        logged: columns,
      };
    projection.push(entry);
  }
  const { lastSeq, state, statusMessage, statusAt } = projection;
  const logged = { lastSeq, state, statusMessage, statusAt: statusAt ?? task.createdAt };
  for (const what of ["lastSeq", "state", "statusMessage", "statusAt"] as const)
    if (task[what] !== logged[what]) yield { taskId, what, stored: task[what], logged: logged[what] };
  const artifacts = artifactsOf(connection, taskId);
  const inLog = [...projection.artifacts].map(([artifactId, seqs]) => ({ artifactId, ...seqs }));
  if (!isDeepStrictEqual(artifacts, inLog))
    yield { taskId, what: "artifacts", stored: artifacts, logged: inLog };
}

/**
 * Makes everything that follows from the logs anew. The rows of tasks keep what no log says: whose they are, epoch,
 * revision, run.
 */
export function rebuildProjections(connection: SqliteConnection): void {
  connection.exec("begin immediate");
  try {
    connection.exec("delete from task_artifacts; delete from task_counts");
    const update = connection.prepare(
      "update tasks set state = ?, status_message = ?, status_at = ?, last_seq = ? where task_id = ?",
    );
    const artifact = connection.prepare(
      "insert into task_artifacts (task_id, artifact_id, first_seq, start_seq) values (?, ?, ?, ?)",
    );
    const columns = connection.prepare(
      "update task_events set artifact_id = ?, messages = ? where task_id = ? and seq = ?",
    );
    for (const { taskId, createdAt } of tasksOf(connection)) {
      const log = new LogProjection();
      for (const entry of entriesOf(connection, taskId)) {
        log.push(entry);
        const { artifactId, messages } = columnsOf(JSON.parse(entry.body) as TaskEvent);
        if (artifactId !== entry.artifactId || messages !== entry.messages)
          columns.run(artifactId, messages, taskId, entry.seq);
      }
      update.run(log.state, log.statusMessage, log.statusAt ?? createdAt, log.lastSeq, taskId);
      for (const [id, { firstSeq, startSeq }] of log.artifacts) artifact.run(taskId, id, firstSeq, startSeq);
    }
    connection.exec(
      "insert into task_counts (principal, kind, state, tasks) select principal, kind, state, count(*) from tasks group by 1, 2, 3",
    );
    connection.exec("commit");
  } catch (error) {
    if (connection.inTransaction) connection.exec("rollback");
    throw error;
  }
}

function* tasksOf(connection: SqliteConnection): Generator<StoredTask> {
  const page = connection.statement<StoredTask>(
    `select task_id as "taskId", principal, kind, state, status_message as "statusMessage", status_at as "statusAt",
       created_at as "createdAt", last_seq as "lastSeq" from tasks where task_id > ? order by task_id limit ${PAGE}`,
  );
  for (let rows = page.all(""); rows.length > 0; rows = page.all(rows.at(-1)?.taskId)) yield* rows;
}

export function* entriesOf(connection: SqliteConnection, taskId: string): Generator<EntryRow> {
  const page = connection.statement<EntryRow>(
    `select seq, logged_at as at, body, artifact_id as "artifactId", messages
     from task_events where task_id = ? and seq > ? order by seq limit ${PAGE}`,
  );
  for (let rows = page.all(taskId, 0); rows.length > 0; rows = page.all(taskId, rows.at(-1)?.seq))
    yield* rows;
}

function artifactsOf(connection: SqliteConnection, taskId: string) {
  return connection
    .statement<{ artifactId: string; firstSeq: number; startSeq: number }>(
      `select artifact_id as "artifactId", first_seq as "firstSeq", start_seq as "startSeq"
       from task_artifacts where task_id = ? order by first_seq`,
    )
    .all(taskId);
}
