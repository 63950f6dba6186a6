import type { LoggedEvent, TaskEvent } from "@cleveragents/domain";
import { sql } from "kysely";
import { pageOf } from "../schema/event-page.ts";
import { ANY } from "../schema/task-queries.ts";
import type { ArtifactText } from "./snapshot-cache.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { Statement } from "./statement.ts";

interface BodyRow {
  readonly body: string;
}

/** What a task's log gives to read. Each question reads the rows it needs and no others. */
export class SqliteTaskLog {
  readonly #events: Statement<BodyRow & { seq: number; key: string; at: number }>;
  readonly #messages: Statement<BodyRow>;
  readonly #artifacts: Statement<{ artifactId: string; startSeq: number }>;
  readonly #chunks: Statement<BodyRow>;

  constructor(connection: SqliteConnection) {
    const db = connection.queries;
    const events = db.selectFrom("task_events").where("task_id", "=", ANY);
    this.#events = connection.compiled(() =>
      events
        .select(["seq", "event_key as key", "logged_at as at", "body"])
        .where("seq", ">", ANY)
        .orderBy("seq")
        .limit(ANY),
    );
    this.#messages = connection.compiled(() =>
      // Written as in the index that holds just these.
      events.select("body").where(sql<boolean>`messages > 0`).orderBy("seq", "desc").limit(ANY),
    );
    this.#artifacts = connection.compiled(() =>
      db
        .selectFrom("task_artifacts")
        .select(["artifact_id as artifactId", "start_seq as startSeq"])
        .where("task_id", "=", ANY)
        .orderBy("first_seq"),
    );
    this.#chunks = connection.compiled(() =>
      events.select("body").where("artifact_id", "=", ANY).where("seq", ">=", ANY).orderBy("seq"),
    );
  }

  events(taskId: string, after: number, limit: number): readonly LoggedEvent[] {
    return pageOf((seq, rows) => this.#events.all(taskId, seq, rows), after, limit).map(
      ({ seq, key, at, body }) => ({
        taskId,
        seq,
        key,
        at,
        event: JSON.parse(body) as TaskEvent,
      }),
    );
  }

  /** Bodies of the events that have messages, oldest first: as many as messages are asked for are enough. */
  messages(taskId: string, length: number | undefined): readonly string[] {
    if (length === 0) return [];
    return this.#messages
      .all(taskId, length ?? -1)
      .reverse()
      .map(bodyOf);
  }

  /** Bodies of each artifact's chunks, in order of first appearance. */
  artifacts(taskId: string): readonly ArtifactText[] {
    return this.#artifacts.all(taskId).map(({ artifactId, startSeq }) => ({
      artifactId,
      chunks: this.#chunks.all(taskId, artifactId, startSeq).map(bodyOf),
    }));
  }
}

function bodyOf(row: BodyRow): string {
  return row.body;
}
