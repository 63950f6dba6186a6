import { closeSync, openSync, rmSync } from "node:fs";
import type { Clock, FailPoint, Logger } from "@cleveragents/application";
import type { Migration } from "kysely/migration";
import { migrations as released } from "../schema/migrations/index.ts";
import { StoredApiKeys } from "../schema/stored-api-keys.ts";
import { StoredChangesets } from "../schema/stored-changesets.ts";
import { StoredGraphCheckpoints } from "../schema/stored-graph-checkpoints.ts";
import { StoredPushConfigs } from "../schema/stored-push-configs.ts";
import { StoredRegistry } from "../schema/stored-registry.ts";
import { StoredSessions } from "../schema/stored-sessions.ts";
import { backUp } from "./backup.ts";
import { DatabaseCorruptError } from "./database-errors.ts";
import { type Found, inspectFile } from "./inspect-file.ts";
import { migrate } from "./migrate.ts";
import { checkProjections, type ProjectionMismatch } from "./projections.ts";
import { finishPutInPlace } from "./salvage/put-in-place.ts";
import { type Repair, repair, repairsOf } from "./salvage/repair.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { SqliteTaskStore } from "./sqlite-task-store.ts";

export interface SqliteDatabaseOptions {
  /** A file in a directory that exists. Its owner sees to it that no second process opens it. */
  readonly path: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** In order; those of this release when absent. */
  readonly migrations?: Readonly<Record<string, Migration>>;
  /** Other traces say that there was something already: an empty file is then a damaged one. */
  readonly used?: boolean;
  readonly failPoint?: FailPoint | undefined;
}

export interface SqliteDatabase {
  readonly tasks: SqliteTaskStore;
  readonly registry: StoredRegistry;
  readonly sessions: StoredSessions;
  readonly changesets: StoredChangesets;
  readonly keys: StoredApiKeys;
  readonly push: StoredPushConfigs;
  readonly graphs: StoredGraphCheckpoints;
  /** Damage that was repaired, at this start or before, for as long as the damaged file is kept. */
  readonly repairs: readonly Repair[];
  /** Fails when the stores cannot serve. */
  check(): Promise<void>;
  /** Compares what is kept beside the logs with the logs; reads all of them. */
  checkProjections(): readonly ProjectionMismatch[];
  /** Commits what was handed in, then closes the file; every store refuses from then on. */
  close(): Promise<void>;
}

/**
 * Opens the stores in one file, makes it if there is none, repairs it if it is damaged, and migrates it if it is older,
 * after a copy was made. Throws a `DatabaseError`; the file is then as it was.
 */
export async function openSqliteDatabase(options: SqliteDatabaseOptions): Promise<SqliteDatabase> {
  const { path, clock, logger, migrations = released, failPoint } = options;
  const found = await inspectOrRepair(options, migrations);
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
    return stores(connection, clock, logger, failPoint);
  } catch (error) {
    connection?.close();
    if (made) for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
    throw error;
  }
}

async function inspectOrRepair(
  { path, clock, logger, used }: SqliteDatabaseOptions,
  migrations: Readonly<Record<string, Migration>>,
): Promise<Found> {
  const known = Object.keys(migrations);
  finishPutInPlace(path);
  try {
    return inspectFile(path, known, used);
  } catch (damage) {
    if (!(damage instanceof DatabaseCorruptError)) throw damage;
    await repair({ path, damage, migrations, clock, logger });
    return inspectFile(path, known, used);
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

function stores(
  connection: SqliteConnection,
  clock: Clock,
  logger: Logger,
  failPoint: FailPoint | undefined,
): SqliteDatabase {
  const tasks = new SqliteTaskStore({ connection, clock, logger, failPoint });
  return {
    tasks,
    registry: new StoredRegistry(connection),
    sessions: new StoredSessions(connection),
    changesets: new StoredChangesets(connection, clock),
    keys: new StoredApiKeys(connection),
    push: new StoredPushConfigs(connection),
    graphs: new StoredGraphCheckpoints(connection),
    repairs: repairsOf(connection.path),
    check: () => tasks.check(),
    checkProjections: () => checkProjections(connection),
    async close() {
      await tasks.close();
      connection.close();
    },
  };
}
