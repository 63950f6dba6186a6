import { rmSync } from "node:fs";
import { basename } from "node:path";
import type { Logger } from "@cleveragents/application";
import { assertWhole, checkRequestOf, DatabaseCorruptError, setAside, stampFor } from "../sqlite/index.ts";

/**
 * Makes room for a new engine where its file is damaged: what runs there were follows from the tasks, and the supervisor
 * gives every unfinished plan a new one. The damaged file is kept. Other failures are left to whoever opens the file.
 */
export function setAsideDamaged(path: string, logger: Logger): void {
  try {
    assertWhole(path);
    rmSync(checkRequestOf(path), { force: true });
  } catch (error) {
    if (!(error instanceof DatabaseCorruptError)) return;
    const stamp = stampFor(path, Date.now());
    setAside(path, stamp);
    rmSync(checkRequestOf(path), { force: true });
    logger.error(
      { file: `${basename(path)}.damaged-${stamp}`, damage: error.what },
      "the engine's database was damaged and has been begun anew: plans go on from their last finished step",
    );
  }
}
