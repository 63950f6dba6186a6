import { closeSync, openSync, rmSync } from "node:fs";
import type { Clock, Logger } from "@cleveragents/application";
import type { Migration } from "kysely/migration";
import { migrations as released } from "../schema/migrations/index.ts";
import { backUp } from "./backup.ts";
import { inspectFile } from "./inspect-file.ts";
import { migrate } from "./migrate.ts";
import { SqliteChangesetStore } from "./sqlite-changeset-store.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { SqliteRegistryStore } from "./sqlite-registry-store.ts";
import { SqliteSessionStore } from "./sqlite-session-store.ts";
import { SqliteTaskStore } from "./sqlite-task-store.ts";

export interface SqliteDatabaseOptions {
  /** A file in a directory that exists. Its owner sees to it that no second process opens it. */
  readonly path: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** In order; those of this release when absent. */
  readonly migrations?: Readonly<Record<string, Migration>>;
}

export interface SqliteDatabase {
  readonly tasks: SqliteTaskStore;
  readonly registry: SqliteRegistryStore;
  readonly sessions: SqliteSessionStore;
  readonly changesets: SqliteChangesetStore;
  /** Fails when the stores cannot serve. */
  check(): Promise<void>;
  /** Commits what was handed in, then closes the file; every store refuses from then on. */
  close(): Promise<void>;
}

/**
 * Opens the stores in one file, makes it if there is none, and migrates it if it is older, after a copy was made.
 * Throws a `DatabaseError`; the file is then as it was.
 */
export async function openSqliteDatabase(options: SqliteDatabaseOptions): Promise<SqliteDatabase> {
  const { path, clock, logger, migrations = released } = options;
  const found = inspectFile(path, Object.keys(migrations));
  const made = found.kind === "new" && makeFile(path);
  const version = found.kind === "new" ? 0 : found.version;
  let connection: SqliteConnection | undefined;
  try {
    connection = new SqliteConnection(path);
    if (version < Object.keys(migrations).length) {
      if (version > 0)
        logger.info({ backup: backUp(connection, version) }, "the database was copied before its migration");
      await migrate(connection, migrations);
    }
    return stores(connection, clock, logger);
  } catch (error) {
    connection?.close();
    if (made) for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
    throw error;
  }
}

/** For its owner's eyes alone; the files that SQLite makes beside it follow. Answers whether there was none. */
function makeFile(path: string): boolean {
  try {
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch {
    return false;
  }
}

function stores(connection: SqliteConnection, clock: Clock, logger: Logger): SqliteDatabase {
  const tasks = new SqliteTaskStore({ connection, clock, logger });
  return {
    tasks,
    registry: new SqliteRegistryStore({ connection }),
    sessions: new SqliteSessionStore({ connection }),
    changesets: new SqliteChangesetStore({ connection, clock }),
    check: () => tasks.check(),
    async close() {
      await tasks.close();
      connection.close();
    },
  };
}
