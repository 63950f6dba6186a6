import type { TaskKind, TaskQuery } from "@cleveragents/application";
import { TASK_STATES, type TaskState } from "@cleveragents/domain";
import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables.ts";

const KINDS: readonly TaskKind[] = ["plan", "message"];

/**
 * Where a page's tasks stand. An index that begins with kind and state holds each pair in the order of pages: a
 * filter on them is the merge of the pairs it allows, which reads no task that it does not show.
 */
export function placesQuery(db: Kysely<Tables>, query: TaskQuery, limit: number) {
  const [first, ...others] = mergedPairs(query).map((pair) => placesOf(db, query, pair));
  if (first === undefined) return placesOf(db, query).where(sql<boolean>`false`);
  return others
    .reduce((merged, places) => merged.unionAll(places), first)
    .orderBy("status_at", "desc")
    .orderBy("task_id", "desc")
    .limit(limit);
}

/** One row: how many tasks match. From the counts where they are kept; else an index is counted through. */
export function totalQuery(db: Kysely<Tables>, query: TaskQuery) {
  const { principal, kind, contextId, states, statusSince } = query;
  if (contextId !== undefined || statusSince !== undefined) {
    return matching(db, query).select((eb) => eb.fn.countAll<number>().as("tasks"));
  }
  let counts = db.selectFrom("task_counts").where("principal", "=", principal);
  if (kind !== undefined) counts = counts.where("kind", "=", kind);
  if (states !== undefined) counts = counts.where("state", "in", states);
  return counts.select((eb) => eb.fn.sum<number | null>("tasks").as("tasks"));
}

type Pair = readonly [TaskKind, TaskState];

/** One `undefined` where no merge is needed: without such a filter, and in a context, whose index is looked through. */
function mergedPairs({ kind, states, contextId }: TaskQuery): readonly (Pair | undefined)[] {
  if (contextId !== undefined || (kind === undefined && states === undefined)) return [undefined];
  const kinds = kind === undefined ? KINDS : [kind];
  return kinds.flatMap((k) => [...new Set(states ?? TASK_STATES)].map((state): Pair => [k, state]));
}

function placesOf(db: Kysely<Tables>, query: TaskQuery, pair?: Pair) {
  const { cursor } = query;
  let places = matching(db, pair === undefined ? query : { ...query, kind: pair[0], states: [pair[1]] });
  if (cursor !== undefined) {
    places = places.where(sql<boolean>`(status_at, task_id) < (${cursor.statusAt}, ${cursor.taskId})`);
  }
  return places.select(["task_id", "status_at"]);
}

function matching(db: Kysely<Tables>, { principal, kind, contextId, states, statusSince }: TaskQuery) {
  let tasks = db.selectFrom("tasks").where("principal", "=", principal);
  if (contextId !== undefined) tasks = tasks.where("context_id", "=", contextId);
  if (kind !== undefined) tasks = tasks.where("kind", "=", kind);
  if (states !== undefined) tasks = tasks.where("state", "in", states);
  if (statusSince !== undefined) tasks = tasks.where("status_at", ">=", statusSince);
  return tasks;
}
