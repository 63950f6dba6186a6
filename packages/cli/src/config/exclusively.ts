import fs from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";

const SQLITE_BUSY = 5;
const POLL_MS = 25;
/** Longer than whoever holds it waits for an answer. */
const PATIENCE_MS = 45_000;

/**
 * Does something to a file while no other process of this machine does that asks here too. What is locked is a file beside it, as an
 * SQLite database that stays empty: the system lets go of it when the process ends, however it ends, so no lock is ever stale.
 */
export async function exclusively<T>(
  path: string,
  work: () => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lock = `${path}.lock`;
  // Nobody else's to hold: SQLite would make it readable for all.
  fs.closeSync(fs.openSync(lock, "a", 0o600));
  const { DatabaseSync } = await import("node:sqlite");
  using database = new DatabaseSync(lock);
  for (const until = Date.now() + patienceMs; ; await delay(POLL_MS)) {
    try {
      database.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
      break;
    } catch (error) {
      // A file system that knows no locks: it goes as it would without them.
      if (!isBusy(error)) break;
      if (Date.now() >= until)
        throw new CliError("FILE_BUSY", `another command has been at ${path} for a long time`, {
          hint: "try again when it has ended",
          exitCode: EXIT.TIMEOUT,
        });
    }
  }
  return await work();
}

function isBusy(error: unknown): boolean {
  const code = error instanceof Error && "errcode" in error ? error.errcode : undefined;
  return typeof code === "number" && (code & 0xff) === SQLITE_BUSY;
}
