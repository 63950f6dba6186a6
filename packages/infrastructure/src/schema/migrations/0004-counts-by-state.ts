import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Whether anything works is asked every second, for all principals at once. */
export const countsByState: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createIndex("task_counts_by_state")
      .on("task_counts")
      .columns(["kind", "state", "tasks"])
      .execute();
  },
};
