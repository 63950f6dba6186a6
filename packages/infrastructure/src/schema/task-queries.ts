import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** Stands where a parameter will be; statements are compiled once and bound at each call. */
export const ANY = "" as never;

const COLUMNS = [
  "t.task_id as taskId",
  "t.context_id as contextId",
  "t.principal",
  "t.kind",
  "t.state",
  "t.status_message as statusMessage",
  "t.status_at as statusAt",
  "t.created_at as createdAt",
  "t.updated_at as updatedAt",
  "t.last_seq as lastSeq",
  "t.epoch",
  "t.revision",
  "t.run_id as runId",
  "t.reference_task_ids as referenceTaskIds",
] as const;

/** Rows are `StoredTask`. */
export function selectTasks(db: Kysely<Tables>) {
  return db.selectFrom("tasks as t").select(COLUMNS);
}

/** Rows are `StoredTaskWithDocument`. A join would cost ten times as much as this subquery. */
export function selectTasksWithDocuments(db: Kysely<Tables>) {
  return selectTasks(db).select((eb) =>
    eb
      .selectFrom("task_documents as d")
      .select("d.body")
      .whereRef("d.task_id", "=", "t.task_id")
      .as("document"),
  );
}
