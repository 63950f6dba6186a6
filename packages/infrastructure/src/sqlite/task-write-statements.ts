import { ANY } from "../schema/task-queries.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

/** Statements that write, compiled once. Parameters follow the order of the columns here. */
export function writeStatements(connection: SqliteConnection) {
  const db = connection.queries;
  const progress = { updated_at: ANY, last_seq: ANY, epoch: ANY, revision: ANY, run_id: ANY };
  const status = { state: ANY, status_message: ANY, status_at: ANY };
  const identity = {
    task_id: ANY,
    context_id: ANY,
    principal: ANY,
    kind: ANY,
    created_at: ANY,
    reference_task_ids: ANY,
  };
  const artifact = db
    .insertInto("task_artifacts")
    .values({ task_id: ANY, artifact_id: ANY, first_seq: ANY, start_seq: ANY });

  return {
    taskInsert: connection.compiled(() =>
      db.insertInto("tasks").values({ ...identity, ...status, ...progress }),
    ),
    taskUpdate: connection.compiled(() => db.updateTable("tasks").set(progress).where("task_id", "=", ANY)),
    statusUpdate: connection.compiled(() =>
      db
        .updateTable("tasks")
        .set({ ...status, ...progress })
        .where("task_id", "=", ANY),
    ),
    event: connection.compiled(() =>
      db.insertInto("task_events").values({
        task_id: ANY,
        seq: ANY,
        event_key: ANY,
        logged_at: ANY,
        body: ANY,
        artifact_id: ANY,
        messages: ANY,
      }),
    ),
    artifactAppend: connection.compiled(() =>
      artifact.onConflict((oc) => oc.columns(["task_id", "artifact_id"]).doNothing()),
    ),
    artifactReplace: connection.compiled(() =>
      artifact.onConflict((oc) =>
        oc
          .columns(["task_id", "artifact_id"])
          .doUpdateSet((eb) => ({ start_seq: eb.ref("excluded.start_seq") })),
      ),
    ),
    document: connection.compiled(() =>
      db
        .insertInto("task_documents")
        .values({ task_id: ANY, body: ANY })
        .onConflict((oc) => oc.column("task_id").doUpdateSet((eb) => ({ body: eb.ref("excluded.body") }))),
    ),
    shared: connection.compiled(() =>
      db
        .insertInto("shared_documents")
        .values({ id: ANY, revision: ANY, body: ANY })
        .onConflict((oc) =>
          oc
            .column("id")
            .doUpdateSet((eb) => ({ revision: eb.ref("excluded.revision"), body: eb.ref("excluded.body") })),
        ),
    ),
    inboxAdd: connection.compiled(() =>
      db
        .insertInto("task_inbox")
        .values({ task_id: ANY, entry_key: ANY, body: ANY, revision: ANY, ordinal: ANY }),
    ),
    inboxTake: connection.compiled(() =>
      db
        .updateTable("task_inbox")
        .set({ taken_at: ANY })
        .where("task_id", "=", ANY)
        .where("entry_key", "=", ANY),
    ),
    claim: connection.compiled(() =>
      db.insertInto("task_messages").values({ principal: ANY, message_id: ANY, task_id: ANY }),
    ),
    count: connection.compiled(() =>
      db
        .insertInto("task_counts")
        .values({ principal: ANY, kind: ANY, state: ANY, tasks: ANY })
        .onConflict((oc) =>
          oc
            .columns(["principal", "kind", "state"])
            .doUpdateSet((eb) => ({ tasks: eb("task_counts.tasks", "+", eb.ref("excluded.tasks")) })),
        ),
    ),
  };
}
