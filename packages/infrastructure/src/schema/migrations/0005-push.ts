import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Who is posted which task's events, and how far they are. */
export const push: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable("push_configs")
      .addColumn("task_id", "text", (c) => c.notNull().references("tasks.task_id").onDelete("cascade"))
      .addColumn("config_id", "text", (c) => c.notNull())
      .addColumn("principal", "text", (c) => c.notNull())
      .addColumn("url", "text", (c) => c.notNull())
      .addColumn("token", "text")
      .addColumn("scheme", "text")
      .addColumn("credentials", "text")
      .addColumn("version", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("delivered_seq", "bigint", (c) => c.notNull())
      .addColumn("attempts", "integer", (c) => c.notNull())
      .addColumn("failing_since", "bigint")
      .addColumn("next_attempt_at", "bigint", (c) => c.notNull())
      .addColumn("failure", "text")
      .addColumn("lease_holder", "text")
      .addColumn("lease_until", "bigint")
      .addPrimaryKeyConstraint("push_configs_pk", ["task_id", "config_id"])
      .execute();
    await db.schema
      .createIndex("push_configs_due")
      .on("push_configs")
      .columns(["state", "next_attempt_at", "task_id"])
      .execute();
  },
};
