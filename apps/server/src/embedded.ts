import { open } from "node:fs/promises";
import { join } from "node:path";
import type { FailPoint, Logger, MessageActor } from "@cleveragents/application";
import { SystemClock } from "@cleveragents/infrastructure/clock";
import { createSqlitePlanEngine } from "@cleveragents/infrastructure/openworkflow";
import { CommandLedger } from "@cleveragents/infrastructure/process";
import { openSqliteDatabase, type Repair } from "@cleveragents/infrastructure/sqlite";
import { type Agent, type AgentParts, assembleAgent, type Damage, makeDataDir } from "./assemble-agent.ts";
import { type Environment, engineConcurrency } from "./config.ts";
import { dataDirFailure } from "./owner/data-dir-unusable.ts";

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly env: Environment;
  readonly logger: Logger;
  readonly failPoint?: FailPoint | undefined;
  /** See `AgentParts.capabilities` and `versions`. */
  readonly capabilities?: AgentParts["capabilities"];
  readonly versions?: AgentParts["versions"];
  /** See `AgentParts.actor`. */
  readonly actor?: MessageActor | undefined;
}

/** The whole product in one process on one data directory, which the caller owns. Throws the store's own errors. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Agent> {
  const { dataDir, logger, failPoint } = options;
  const enginePath = join(dataDir, "engine.db");
  const used = await prepare(dataDir, enginePath);
  const clock = new SystemClock();
  const database = await openSqliteDatabase({
    path: join(dataDir, "store.db"),
    clock,
    logger,
    used,
    failPoint,
  });
  const ledger = new CommandLedger(join(dataDir, "commands"), failPoint);
  const leftovers = await ledger.endLeftovers();
  if (leftovers > 0) logger.warn({ leftovers }, "commands of a process that is gone were ended");
  const damaged = Promise.withResolvers<void>();
  const engine = createSqlitePlanEngine({
    path: enginePath,
    onDamaged: damaged.resolve,
    logger,
    exclusive: true,
    concurrency: engineConcurrency(options.env),
    failPoint,
  });
  return assembleAgent({
    ...options,
    clock,
    database: { ...database, damages: database.repairs.map(toDamage) },
    engine,
    damaged: damaged.promise,
    ledger,
  });
}

/** Whether somebody has worked here before: the engine's file is filled when the first owner starts. */
async function prepare(dataDir: string, enginePath: string): Promise<boolean> {
  try {
    await makeDataDir(dataDir);
    await using file = await open(enginePath, "a", 0o600);
    return (await file.stat()).size > 0;
  } catch (error) {
    throw dataDirFailure(dataDir, error);
  }
}

/** Counts alone: whoever asks for health need not know whose tasks they are. */
function toDamage({ at, tasks, entries, plans, others, unreadable }: Repair): Damage {
  const lost = [
    [tasks.length, "tasks"],
    [entries.reduce((sum, { lost: n }) => sum + n, 0), "log entries"],
    [plans.length, "plans that cannot go on"],
    [others.length, "other rows"],
  ] as const;
  const named = lost.flatMap(([n, what]) => (n > 0 ? [`${n} ${what}`] : []));
  if (named.length > 0) return { at, lost: `lost ${named.join(", ")}` };
  return { at, lost: unreadable === 0 ? "nothing was lost" : "nothing known was lost" };
}
