import type { FailPoint, Logger } from "@cleveragents/application";
import type { Config, Environment } from "../config.ts";
import { DataDirTakenError } from "../owner/data-dir-lock.ts";
import { untilIdle } from "../owner/idle-exit.ts";
import { type Owner, runOwner } from "../owner/run-owner.ts";
import { untilDamaged, untilTold } from "./stopping.ts";

/** Owns the data directory in the background until nobody needs it. Another owner that was faster is no error. */
export async function own(deps: {
  readonly config: Config;
  readonly env: Environment;
  readonly logger: Logger;
  readonly pid: number;
  readonly uid: number;
  readonly failPoint?: FailPoint | undefined;
}): Promise<void> {
  const { config, logger, ...identity } = deps;
  // Before anybody can find this process, and tell it.
  const told = untilTold();
  let owner: Owner;
  try {
    const options = { dataDir: config.dataDir, logger, ...identity };
    const { database } = config;
    owner =
      database === undefined
        ? await runOwner(options)
        : await (await import("../replica/run-replica.ts")).runReplica({ ...options, database });
  } catch (error) {
    if (error instanceof DataDirTakenError) return;
    throw error;
  }
  logger.info({ pid: deps.pid }, "this process owns the data directory");
  const idle = untilIdle({
    dataDir: config.dataDir,
    idleMs: config.idleSeconds * 1000,
    calls: () => owner.calls,
    busy: () => owner.agent.busy(),
  });
  const why = await Promise.race([idle, told, untilDamaged(owner)]);
  logger.info({ why }, "leaving");
  await owner.close();
}
