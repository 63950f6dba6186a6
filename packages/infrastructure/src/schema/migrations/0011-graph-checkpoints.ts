import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** How far graphs have come. Rows of one thread lie together, and go together. */
export const graphCheckpoints: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable("graph_checkpoints")
      .addColumn("thread", "text", (c) => c.notNull())
      .addColumn("namespace", "text", (c) => c.notNull())
      .addColumn("checkpoint_id", "text", (c) => c.notNull())
      .addColumn("parent_id", "text")
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("content", "text", (c) => c.notNull())
      .addColumn("metadata_kind", "text", (c) => c.notNull())
      .addColumn("metadata", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("graph_checkpoints_key", ["thread", "namespace", "checkpoint_id"])
      .execute();
    await db.schema
      .createTable("graph_writes")
      .addColumn("thread", "text", (c) => c.notNull())
      .addColumn("namespace", "text", (c) => c.notNull())
      .addColumn("checkpoint_id", "text", (c) => c.notNull())
      .addColumn("task", "text", (c) => c.notNull())
      .addColumn("ordinal", "bigint", (c) => c.notNull())
      .addColumn("channel", "text", (c) => c.notNull())
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("content", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("graph_writes_key", [
        "thread",
        "namespace",
        "checkpoint_id",
        "task",
        "ordinal",
      ])
      .execute();
  },
};
