import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { COMMIT_COMMAND_WITHOUT_OUTBOX } from "./0007-commit-command.ts";

/** What is owed to a webhook is read from the log; nothing was ever read from the outbox. */
export const noOutbox: Migration = {
  async up(db: Kysely<never>) {
    if (db.getExecutor().adapter instanceof PostgresAdapter)
      await sql.raw(COMMIT_COMMAND_WITHOUT_OUTBOX).execute(db);
    await db.schema.dropTable("outbox").ifExists().execute();
  },
};
