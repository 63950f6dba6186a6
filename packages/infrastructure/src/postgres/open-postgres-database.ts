import type { Clock, FailPoint, Logger } from "@cleveragents/application";
import type { Migration } from "kysely/migration";
import { migrations as released } from "../schema/migrations/index.ts";
import { StoredApiKeys } from "../schema/stored-api-keys.ts";
import { StoredChangesets } from "../schema/stored-changesets.ts";
import { StoredGraphCheckpoints } from "../schema/stored-graph-checkpoints.ts";
import { StoredPushConfigs } from "../schema/stored-push-configs.ts";
import { StoredRegistry } from "../schema/stored-registry.ts";
import { StoredSessions } from "../schema/stored-sessions.ts";
import { migrate } from "./migrate.ts";
import { PostgresConnection } from "./postgres-connection.ts";
import { PostgresTaskStore } from "./postgres-task-store.ts";

export interface PostgresDatabaseOptions {
  /** `postgresql://user:password@host:port/database`; several processes may share one database. */
  readonly url: string;
  /** Connections of this process, at least 3: one writes, one listens, the others read. */
  readonly poolSize: number;
  /** How long a call waits for a database that cannot be reached, before it fails; also the first one, at the start. */
  readonly connectTimeoutMs: number;
  /** How long the server works on one statement; as long as a call waits when absent. */
  readonly statementTimeoutMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** In order; those of this release when absent. */
  readonly migrations?: Readonly<Record<string, Migration>>;
  readonly failPoint?: FailPoint | undefined;
}

export interface PostgresDatabase {
  readonly tasks: PostgresTaskStore;
  readonly registry: StoredRegistry;
  readonly sessions: StoredSessions;
  readonly changesets: StoredChangesets;
  readonly keys: StoredApiKeys;
  readonly push: StoredPushConfigs;
  readonly graphs: StoredGraphCheckpoints;
  /** Fails when the stores cannot serve. */
  check(): Promise<void>;
  /** Commits what was handed in, then closes the connections; every store refuses from then on. */
  close(): Promise<void>;
}

/**
 * Opens the stores in one database, which must exist, and brings its tables to the newest version; of several
 * processes that do so at once, one does it. Throws a `PostgresError`; the database is then as it was.
 */
export async function openPostgresDatabase(options: PostgresDatabaseOptions): Promise<PostgresDatabase> {
  const { clock, logger, migrations = released, failPoint } = options;
  const connection = new PostgresConnection(options);
  try {
    await migrate(connection, migrations);
    const tasks = await PostgresTaskStore.open({ connection, clock, logger, failPoint });
    return {
      tasks,
      registry: new StoredRegistry(connection),
      sessions: new StoredSessions(connection),
      changesets: new StoredChangesets(connection, clock),
      keys: new StoredApiKeys(connection),
      push: new StoredPushConfigs(connection),
      graphs: new StoredGraphCheckpoints(connection),
      check: () => tasks.check(),
      async close() {
        await tasks.close();
        await connection.close();
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
