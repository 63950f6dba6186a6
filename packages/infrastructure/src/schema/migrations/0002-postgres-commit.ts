import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { COMMIT_COMMAND } from "./0002-commit-command.ts";
import { COMMIT_GROUP } from "./0002-commit-group.ts";

/**
 * The rules of `decide` as functions of the server, so that a group of commands is one round trip. A later version
 * makes functions of other names: servers of two versions may use one database while it is being upgraded.
 */
export const postgresCommit: Migration = {
  async up(db: Kysely<never>) {
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
    // Room beside a task's row: an appended chunk changes no column of an index, and need not touch any.
    await sql`alter table tasks set (fillfactor = 75)`.execute(db);
    // What a writer's newest group came to, so that it can ask when its connection broke before the answer.
    await db.schema
      .createTable("commit_groups")
      .addColumn("writer", "text", (c) => c.primaryKey())
      .addColumn("number", "bigint", (c) => c.notNull())
      .addColumn("outcomes", "text", (c) => c.notNull())
      .addColumn("committed_at", "bigint", (c) => c.notNull())
      .execute();
    for (const functions of [COMMIT_COMMAND, COMMIT_GROUP]) await sql.raw(functions).execute(db);
  },
};
