import type { TaskKind } from "@cleveragents/application";
import { isTerminal, type JsonObject, type TaskEvent, type TaskState } from "@cleveragents/domain";
import { columnsOf } from "../../schema/project-log.ts";
import { entriesOf } from "../projections.ts";
import type { SqliteConnection } from "../sqlite-connection.ts";
import { endedPlan, LOST_TEXT } from "./ended-plan.ts";
import type { SalvageReport } from "./salvage-report.ts";

/** Whose a task is, where only an index still tells. */
export interface TaskTrace {
  readonly contextId: string;
  readonly principal: string;
  readonly kind: TaskKind;
}

export interface MendOptions {
  readonly traces: ReadonlyMap<string, TaskTrace>;
  /** What indexes named when no row was there; strays may have brought some of it since. */
  readonly lostTasks: readonly string[];
  readonly lostEntries: readonly { readonly taskId: string; readonly seq: number }[];
  /** Tasks whose document is not to be trusted. */
  readonly withoutDocument: ReadonlySet<string>;
  readonly at: number;
}

/** Above every epoch and revision that a lost row may have had. */
const BEYOND = 1_000_000;

interface TaskRow {
  readonly taskId: string;
  readonly contextId: string;
  readonly principal: string;
  readonly kind: TaskKind;
  readonly state: TaskState;
  readonly createdAt: number;
  readonly lastSeq: number;
}

/**
 * Makes the saved rows whole tasks again: logs without gaps, tasks with an owner, no plan without a document. A lost
 * entry becomes one that says so, so that the cursors of those who follow the log still mean what they meant.
 */
export function mendTasks(
  connection: SqliteConnection,
  options: MendOptions,
): Pick<SalvageReport, "tasks" | "entries" | "plans" | "saved"> {
  const found = connection
    .statement<{ taskId: string }>(
      "select task_id as taskId from task_events union select task_id from task_documents union select task_id from tasks",
    )
    .all()
    .map(({ taskId }) => taskId);
  const known = new Set([...found, ...options.lostTasks, ...options.traces.keys()]);
  const highest = new Map<string, number>();
  for (const { taskId, seq } of options.lostEntries)
    highest.set(taskId, Math.max(seq, highest.get(taskId) ?? 0));

  const tasks: string[] = [];
  const entries: { taskId: string; lost: number }[] = [];
  const plans: string[] = [];
  for (const taskId of known) {
    const row = rowOf(connection, taskId) ?? restoreRow(connection, taskId, options);
    if (row === undefined) {
      tasks.push(taskId);
      continue;
    }
    const { lost, state } = fillGaps(connection, row, highest.get(taskId) ?? 0, options.at);
    if (lost > 0) entries.push({ taskId, lost });
    if (row.kind === "plan" && lacksDocument(connection, taskId, options.withoutDocument)) {
      endPlan(connection, row, state, options.at);
      plans.push(taskId);
    }
  }
  for (const table of ["task_events", "task_documents", "task_inbox", "task_messages"])
    connection.exec(`delete from ${table} where task_id not in (select task_id from tasks)`);
  return {
    tasks,
    entries,
    plans,
    saved: { tasks: count(connection, "tasks"), entries: count(connection, "task_events") },
  };
}

function count(connection: SqliteConnection, table: string): number {
  return connection.statement<{ n: number }>(`select count(*) as n from ${table}`).get()?.n ?? 0;
}

function rowOf(connection: SqliteConnection, taskId: string): TaskRow | undefined {
  return connection
    .statement<TaskRow>(
      `select task_id as "taskId", context_id as "contextId", principal, kind, state, created_at as "createdAt",
         last_seq as "lastSeq" from tasks where task_id = ?`,
    )
    .get(taskId);
}

function documentOf(connection: SqliteConnection, taskId: string): JsonObject | undefined {
  const row = connection
    .statement<{ body: string }>("select body from task_documents where task_id = ?")
    .get(taskId);
  return row && (JSON.parse(row.body) as JsonObject);
}

function lacksDocument(
  connection: SqliteConnection,
  taskId: string,
  untrusted: ReadonlySet<string>,
): boolean {
  return untrusted.has(taskId) || documentOf(connection, taskId) === undefined;
}

/** A task whose row is gone, by what its document or an index says of it. */
function restoreRow(connection: SqliteConnection, taskId: string, options: MendOptions): TaskRow | undefined {
  const document = options.withoutDocument.has(taskId) ? undefined : documentOf(connection, taskId);
  const { contextId, principal } = document ?? {};
  const trace =
    typeof contextId === "string" && typeof principal === "string"
      ? { contextId, principal, kind: "plan" as const }
      : options.traces.get(taskId);
  if (trace === undefined) return undefined;
  const first = connection
    .statement<{ at: number | null }>("select min(logged_at) as at from task_events where task_id = ?")
    .get(taskId);
  const createdAt = first?.at ?? options.at;
  connection
    .statement(
      `insert into tasks (task_id, context_id, principal, kind, created_at, reference_task_ids, state, status_message,
         status_at, updated_at, last_seq, epoch, revision, run_id)
       values (?, ?, ?, ?, ?, '[]', 'submitted', null, ?, ?, 0, ${BEYOND}, ${BEYOND}, null)`,
    )
    .run(taskId, trace.contextId, trace.principal, trace.kind, createdAt, createdAt, options.at);
  return rowOf(connection, taskId);
}

/** Answers how many entries were lost, and the state that the log ends in. */
function fillGaps(
  connection: SqliteConnection,
  row: TaskRow,
  named: number,
  at: number,
): { readonly lost: number; readonly state: TaskState } {
  const gaps: { seq: number; state: TaskState; at: number }[] = [];
  let state: TaskState = "submitted";
  let expected = 1;
  let time = row.createdAt;
  for (const entry of entriesOf(connection, row.taskId)) {
    for (; expected < entry.seq; expected++) gaps.push({ seq: expected, state, at: time });
    const event = JSON.parse(entry.body) as TaskEvent;
    if (event.type === "status") state = event.state;
    time = entry.at;
    expected = entry.seq + 1;
  }
  for (const last = Math.max(row.lastSeq, named); expected <= last; expected++)
    gaps.push({ seq: expected, state, at: time });
  // The last of the lost entries takes the log to where the task's row says that it was.
  const end = gaps.at(-1);
  if (end !== undefined && end.seq === expected - 1 && !isTerminal(state) && row.lastSeq >= end.seq) {
    end.state = row.state;
    state = row.state;
  }
  for (const gap of gaps) {
    const text = `An entry of this log was lost when the database was damaged; found ${new Date(at).toISOString()}`;
    append(connection, row.taskId, gap.seq, gap.at, `lost:${gap.seq}`, {
      type: "status",
      state: gap.state,
      domain: { name: "log.entry_lost", data: { seq: gap.seq, note: text } },
    });
  }
  return { lost: gaps.length, state };
}

/** A plan without its document cannot go on, and cannot be shown: it gets one that says so, and ends. */
function endPlan(connection: SqliteConnection, row: TaskRow, state: TaskState, at: number): void {
  const { taskId } = row;
  const first = [...entriesOf(connection, taskId)].map(({ body }) => JSON.parse(body) as TaskEvent);
  const created = first.find(({ domain }) => domain?.name === "plan.created")?.domain?.data ?? {};
  const body = JSON.stringify(endedPlan({ ...row, planId: taskId, state, created, at }));
  connection
    .statement(
      "insert into task_documents (task_id, body) values (?, ?) on conflict (task_id) do update set body = excluded.body",
    )
    .run(taskId, body);
  if (isTerminal(state)) return;
  append(connection, taskId, first.length + 1, at, "lost:plan", {
    type: "status",
    state: "failed",
    message: {
      messageId: `lost-${taskId}`,
      role: "agent",
      taskId,
      contextId: row.contextId,
      parts: [{ kind: "text", text: LOST_TEXT }],
    },
    domain: { name: "plan.state_changed", data: { phase: "strategize", state: "failed" } },
  });
}

function append(
  connection: SqliteConnection,
  taskId: string,
  seq: number,
  at: number,
  key: string,
  event: TaskEvent,
): void {
  const { artifactId, messages } = columnsOf(event);
  connection
    .statement(
      "insert into task_events (task_id, seq, event_key, logged_at, body, artifact_id, messages) values (?, ?, ?, ?, ?, ?, ?)",
    )
    .run(taskId, seq, key, at, JSON.stringify(event), artifactId, messages);
}
