import { DatabaseSync } from "node:sqlite";
import type { TaskStore } from "@cleveragents/application";
import type { Artifact, JsonObject, LoggedEvent, TaskEvent, TaskState } from "@cleveragents/domain";

/** All that a store keeps of a task, as the checks want it. */
export interface TaskRecord {
  readonly taskId: string;
  readonly state: TaskState;
  readonly statusMessage: unknown;
  readonly lastSeq: number;
  readonly document: JsonObject;
  readonly events: readonly LoggedEvent[];
  /** As the store puts them together. */
  readonly artifacts: readonly Artifact[];
}

/** Reads a task out of any store. */
export async function recordOf(store: TaskStore, taskId: string): Promise<TaskRecord> {
  const snapshot = await store.snapshot(taskId, { artifacts: true });
  if (snapshot === undefined) throw new Error(`there is no task ${taskId}`);
  const events: LoggedEvent[] = [];
  for (let page = await store.events(taskId, 0); page.length > 0; ) {
    events.push(...page);
    page = await store.events(taskId, page.at(-1)?.seq ?? 0);
  }
  const { row, artifacts } = snapshot;
  const { state, statusMessage, lastSeq } = row;
  return { taskId, state, statusMessage, lastSeq, document: row.document ?? {}, events, artifacts };
}

/** Reads every task out of a SQLite file, by its tables alone: what a store in between would put right stays wrong. */
export function recordsIn(file: string): readonly TaskRecord[] {
  using database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare(
    "select task_id, state, status_message, last_seq, (select body from task_documents d where d.task_id = t.task_id) as body from tasks t order by created_at, task_id",
  );
  const logged = database.prepare(
    "select seq, event_key, logged_at, body from task_events where task_id = ? order by seq",
  );
  const kept = database.prepare(
    "select artifact_id, start_seq from task_artifacts where task_id = ? order by first_seq",
  );
  return rows.all().map((row): TaskRecord => {
    const taskId = String(row["task_id"]);
    const events = logged.all(taskId).map((entry): LoggedEvent => {
      const event = JSON.parse(String(entry["body"])) as TaskEvent;
      return {
        taskId,
        seq: Number(entry["seq"]),
        key: String(entry["event_key"]),
        at: Number(entry["logged_at"]),
        event,
      };
    });
    const artifacts = kept
      .all(taskId)
      .map((entry) => assembled(events, String(entry["artifact_id"]), Number(entry["start_seq"])));
    return {
      taskId,
      state: row["state"] as TaskState, // the store writes no other
      statusMessage: row["status_message"] === null ? null : JSON.parse(String(row["status_message"])),
      lastSeq: Number(row["last_seq"]),
      document: JSON.parse(String(row["body"] ?? "{}")) as JsonObject,
      events,
      artifacts,
    };
  });
}

/** What the store's own index of chunks makes of an artifact. */
function assembled(events: readonly LoggedEvent[], artifactId: string, from: number): Artifact {
  const chunks = events.flatMap(({ seq, event }) =>
    seq >= from && event.type === "artifact" && event.artifact.artifactId === artifactId
      ? [event.artifact]
      : [],
  );
  return { artifactId, ...chunks.at(-1), parts: chunks.flatMap((chunk) => chunk.parts) };
}
