import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Tasks and their logs, registry, sessions, changesets. */
export const stores: Migration = {
  async up(db: Kysely<never>) {
    await tasks(db);
    await logs(db);
    await besideTasks(db);
    await others(db);
  },
};

async function tasks(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("tasks")
    .addColumn("task_id", "text", (c) => c.primaryKey())
    .addColumn("context_id", "text", (c) => c.notNull())
    .addColumn("principal", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("status_message", "text")
    .addColumn("status_at", "bigint", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addColumn("last_seq", "bigint", (c) => c.notNull())
    .addColumn("epoch", "bigint", (c) => c.notNull())
    .addColumn("revision", "bigint", (c) => c.notNull())
    .addColumn("run_id", "text")
    .addColumn("reference_task_ids", "text", (c) => c.notNull())
    .execute();
  // One index per way of listing; each ends in the order of the pages.
  await db.schema
    .createIndex("tasks_by_status")
    .on("tasks")
    .columns(["principal", "status_at", "task_id"])
    .execute();
  await db.schema
    .createIndex("tasks_by_state")
    .on("tasks")
    .columns(["principal", "kind", "state", "status_at", "task_id"])
    .execute();
  await db.schema
    .createIndex("tasks_by_context")
    .on("tasks")
    .columns(["context_id", "principal", "status_at", "task_id", "kind", "state"])
    .execute();
  await db.schema
    .createIndex("tasks_unfinished")
    .on("tasks")
    .columns(["kind", "created_at", "task_id"])
    .where(sql<boolean>`state in ('submitted', 'working', 'input-required', 'auth-required')`)
    .execute();
}

async function logs(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("task_events")
    .addColumn("task_id", "text", (c) => c.notNull().references("tasks.task_id").onDelete("cascade"))
    .addColumn("seq", "bigint", (c) => c.notNull())
    .addColumn("event_key", "text", (c) => c.notNull())
    .addColumn("logged_at", "bigint", (c) => c.notNull())
    .addColumn("body", "text", (c) => c.notNull())
    .addColumn("artifact_id", "text")
    .addColumn("messages", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("task_events_pk", ["task_id", "seq"])
    .addUniqueConstraint("task_events_key", ["task_id", "event_key"])
    .execute();
  await db.schema
    .createIndex("task_events_artifacts")
    .on("task_events")
    .columns(["task_id", "artifact_id", "seq"])
    .where(sql<boolean>`artifact_id is not null`)
    .execute();
  await db.schema
    .createIndex("task_events_messages")
    .on("task_events")
    .columns(["task_id", "seq"])
    .where(sql<boolean>`messages > 0`)
    .execute();
  await db.schema
    .createTable("task_artifacts")
    .addColumn("task_id", "text", (c) => c.notNull().references("tasks.task_id").onDelete("cascade"))
    .addColumn("artifact_id", "text", (c) => c.notNull())
    .addColumn("first_seq", "bigint", (c) => c.notNull())
    .addColumn("start_seq", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("task_artifacts_pk", ["task_id", "artifact_id"])
    .execute();
}

async function besideTasks(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("task_documents")
    .addColumn("task_id", "text", (c) => c.primaryKey().references("tasks.task_id").onDelete("cascade"))
    .addColumn("body", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("task_inbox")
    .addColumn("task_id", "text", (c) => c.notNull().references("tasks.task_id").onDelete("cascade"))
    .addColumn("entry_key", "text", (c) => c.notNull())
    .addColumn("body", "text", (c) => c.notNull())
    .addColumn("revision", "bigint", (c) => c.notNull())
    .addColumn("ordinal", "integer", (c) => c.notNull())
    .addColumn("taken_at", "bigint")
    .addPrimaryKeyConstraint("task_inbox_pk", ["task_id", "entry_key"])
    .execute();
  await db.schema
    .createIndex("task_inbox_open")
    .on("task_inbox")
    .columns(["task_id", "revision", "ordinal"])
    .where(sql<boolean>`taken_at is null`)
    .execute();
  await db.schema
    .createTable("task_messages")
    .addColumn("principal", "text", (c) => c.notNull())
    .addColumn("message_id", "text", (c) => c.notNull())
    .addColumn("task_id", "text", (c) => c.notNull().references("tasks.task_id").onDelete("cascade"))
    .addPrimaryKeyConstraint("task_messages_pk", ["principal", "message_id"])
    .execute();
  // The cascade from a deleted task looks for its claims.
  await db.schema.createIndex("task_messages_by_task").on("task_messages").column("task_id").execute();
  await db.schema
    .createTable("task_counts")
    .addColumn("principal", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("tasks", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("task_counts_pk", ["principal", "kind", "state"])
    .execute();
  // Outlives its task: a notification is owed whether or not the task is still kept.
  await db.schema
    .createTable("outbox")
    .addColumn("outbox_id", "text", (c) => c.primaryKey())
    .addColumn("task_id", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("body", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
}

async function others(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("registry_entries")
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("document", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("registry_entries_pk", ["kind", "name"])
    .execute();
  await db.schema
    .createTable("sessions")
    .addColumn("session_id", "text", (c) => c.primaryKey())
    .addColumn("principal", "text", (c) => c.notNull())
    .addColumn("actor", "text")
    .addColumn("name", "text")
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("sessions_by_principal")
    .on("sessions")
    .columns(["principal", "created_at", "session_id"])
    .execute();
  await db.schema
    .createTable("changesets")
    .addColumn("digest", "text", (c) => c.primaryKey())
    .addColumn("changeset", "text", (c) => c.notNull())
    .addColumn("patch", "text", (c) => c.notNull())
    .addColumn("stored_at", "bigint", (c) => c.notNull())
    .execute();
}
