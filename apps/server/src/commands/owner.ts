import type { Logger } from "@cleveragents/application";
import type { Config, Environment } from "../config.ts";
import { DataDirTakenError } from "../owner/data-dir-lock.ts";
import { untilIdle } from "../owner/idle-exit.ts";
import { type Owner, runOwner } from "../owner/run-owner.ts";
import { untilTold } from "./stopping.ts";

/** Owns the data directory in the background until nobody needs it. Another owner that was faster is no error. */
export async function own(deps: {
  readonly config: Config;
  readonly env: Environment;
  readonly logger: Logger;
  readonly pid: number;
  readonly uid: number;
}): Promise<void> {
  const { config, logger } = deps;
  let owner: Owner;
  try {
    owner = await runOwner({ dataDir: config.dataDir, env: deps.env, logger, pid: deps.pid, uid: deps.uid });
  } catch (error) {
    if (error instanceof DataDirTakenError) return;
    throw error;
  }
  logger.info({ pid: deps.pid }, "this process owns the data directory");
  const idle = untilIdle({
    dataDir: config.dataDir,
    idleMs: config.idleSeconds * 1000,
    connections: () => owner.connections,
    busy: () => owner.agent.busy(),
  });
  const why = await Promise.race([idle, untilTold()]);
  logger.info({ why }, "leaving");
  await owner.close();
}
