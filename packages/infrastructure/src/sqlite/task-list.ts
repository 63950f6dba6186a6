import type { TaskKind, TaskPage, TaskQuery } from "@cleveragents/application";
import { TASK_STATES, type TaskState } from "@cleveragents/domain";
import { sql } from "kysely";
import { type StoredTaskWithDocument, toTaskRow } from "../schema/stored-task.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { Statement } from "./statement.ts";

const KINDS: readonly TaskKind[] = ["plan", "message"];

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
    const limit = Math.max(0, query.limit);
    const places = limit === 0 ? [] : connection.rows(pageQuery(connection, query, limit + 1));
    const page = places.slice(0, limit);
    const last = page.at(-1);
    return {
      rows: page.flatMap(({ task_id }) => task.get(task_id) ?? []).map(toTaskRow),
      ...(last && places.length > limit && { next: { statusAt: last.status_at, taskId: last.task_id } }),
      total: total(connection, query),
    };
  });
}

/**
 * Where the page's tasks stand. An index that begins with kind and state holds each pair in the order of pages: a
 * filter on them is the merge of the pairs it allows, which reads no task that it does not show.
 */
function pageQuery(connection: SqliteConnection, query: TaskQuery, limit: number) {
  const [first, ...others] = mergedPairs(query).map((pair) => placesOf(connection, query, pair));
  if (first === undefined) return placesOf(connection, query).where(sql<boolean>`false`);
  return others
    .reduce((merged, places) => merged.unionAll(places), first)
    .orderBy("status_at", "desc")
    .orderBy("task_id", "desc")
    .limit(limit);
}

type Pair = readonly [TaskKind, TaskState];

/** One `undefined` where no merge is needed: without such a filter, and in a context, whose index is looked through. */
function mergedPairs({ kind, states, contextId }: TaskQuery): readonly (Pair | undefined)[] {
  if (contextId !== undefined || (kind === undefined && states === undefined)) return [undefined];
  const kinds = kind === undefined ? KINDS : [kind];
  return kinds.flatMap((k) => [...new Set(states ?? TASK_STATES)].map((state): Pair => [k, state]));
}

function placesOf(connection: SqliteConnection, query: TaskQuery, pair?: Pair) {
  const { cursor } = query;
  let places = matching(
    connection,
    pair === undefined ? query : { ...query, kind: pair[0], states: [pair[1]] },
  );
  if (cursor !== undefined) {
    places = places.where(sql<boolean>`(status_at, task_id) < (${cursor.statusAt}, ${cursor.taskId})`);
  }
  return places.select(["task_id", "status_at"]);
}

function matching(
  connection: SqliteConnection,
  { principal, kind, contextId, states, statusSince }: TaskQuery,
) {
  let tasks = connection.queries.selectFrom("tasks").where("principal", "=", principal);
  if (contextId !== undefined) tasks = tasks.where("context_id", "=", contextId);
  if (kind !== undefined) tasks = tasks.where("kind", "=", kind);
  if (states !== undefined) tasks = tasks.where("state", "in", states);
  if (statusSince !== undefined) tasks = tasks.where("status_at", ">=", statusSince);
  return tasks;
}

/** From the counts where they are kept, by principal, kind and state; else an index is counted through. */
function total(connection: SqliteConnection, query: TaskQuery): number {
  const { principal, kind, contextId, states, statusSince } = query;
  if (contextId !== undefined || statusSince !== undefined) {
    return (
      connection.rows(matching(connection, query).select((eb) => eb.fn.countAll<number>().as("tasks")))[0]
        ?.tasks ?? 0
    );
  }
  let counts = connection.queries.selectFrom("task_counts").where("principal", "=", principal);
  if (kind !== undefined) counts = counts.where("kind", "=", kind);
  if (states !== undefined) counts = counts.where("state", "in", states);
  return connection.rows(counts.select((eb) => eb.fn.sum<number | null>("tasks").as("tasks")))[0]?.tasks ?? 0;
}
