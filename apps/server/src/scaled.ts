import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { FailPoint, Logger } from "@cleveragents/application";
import { SystemClock } from "@cleveragents/infrastructure/clock";
import { createPostgresPlanEngine, PostgresHostRegistry } from "@cleveragents/infrastructure/openworkflow";
import { openPostgresDatabase } from "@cleveragents/infrastructure/postgres";
import { CommandLedger } from "@cleveragents/infrastructure/process";
import { type Agent, assembleAgent } from "./assemble-agent.ts";
import { type DatabaseConfig, type Environment, engineConcurrency } from "./config.ts";

export interface ScaledOptions {
  readonly dataDir: string;
  readonly env: Environment;
  readonly logger: Logger;
  readonly database: DatabaseConfig;
  /** This host's name; its processes share the data directory and carry out its plans. */
  readonly host: string;
  /** The data directory's own name, which tells it from another one that is given the host's. */
  readonly directory: string;
  readonly failPoint?: FailPoint | undefined;
}

/** How long a plan stays with a process that is not heard of, before another one of its host takes it over. */
const LEASE_MS = 5000;
/** Of the connections of a process, what its engine and its heart-beat take; the stores have the others. */
const ENGINE_CONNECTIONS = 2;
const HEARTBEAT_CONNECTIONS = 1;

/** The product as one of several processes on one PostgreSQL. Throws the store's own errors. */
export async function openScaled(options: ScaledOptions): Promise<Agent> {
  const { dataDir, logger, host, failPoint } = options;
  const { url, poolSize, timeoutMs: connectTimeoutMs } = options.database;
  const clock = new SystemClock();
  const database = await openPostgresDatabase({
    url,
    poolSize: poolSize - ENGINE_CONNECTIONS - HEARTBEAT_CONNECTIONS,
    connectTimeoutMs,
    clock,
    logger,
    failPoint,
  });
  const engine = createPostgresPlanEngine({
    url,
    namespace: host,
    poolSize: ENGINE_CONNECTIONS,
    connectTimeoutMs,
    leaseMs: LEASE_MS,
    concurrency: engineConcurrency(options.env),
    logger,
    failPoint,
  });
  const { directory } = options;
  const hosts = new PostgresHostRegistry({ url, connectTimeoutMs, host, directory });
  const ledger = new CommandLedger(join(dataDir, "commands"), failPoint);
  const sandboxes = join(await realpath(dataDir), "sandboxes");
  return assembleAgent({
    ...options,
    clock,
    database,
    engine,
    ledger,
    hosts,
    async takeOver(taskId) {
      const ended = await ledger.endWithin(join(sandboxes, taskId));
      if (ended > 0) logger.warn({ taskId, ended }, "commands of a former worker of a plan were ended");
    },
  });
}
