import { truncateSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeFolder } from "@cleveragents/transport-stdio/client";
import { dataDirFailure } from "./data-dir-unusable.ts";

/** A data directory that somebody else owns. */
export class DataDirTakenError extends Error {
  override readonly name = "DataDirTakenError";
  readonly dataDir: string;
  constructor(dataDir: string) {
    super(`another process owns ${dataDir}`);
    this.dataDir = dataDir;
  }
}

const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;

/**
 * Takes a data directory for this process: an SQLite file that is locked exclusively. The system lets go of it when the
 * process ends, however it ends, so a lock is never stale. Throws {@link DataDirTakenError} or `DataDirUnusableError`.
 */
export async function lockDataDir(dataDir: string): Promise<Disposable> {
  try {
    await makeFolder(dataDir);
    return lock(join(dataDir, "owner.lock"));
  } catch (error) {
    if (resultOf(error) === SQLITE_BUSY) throw new DataDirTakenError(dataDir);
    throw dataDirFailure(dataDir, error);
  }
}

function lock(path: string): Disposable {
  try {
    return tryLock(path);
  } catch (error) {
    if (resultOf(error) !== SQLITE_NOTADB) throw error;
    // Nothing of worth is in it. Emptied, not removed: whoever has just locked it keeps the lock.
    truncateSync(path, 0);
    return tryLock(path);
  }
}

function tryLock(path: string): Disposable {
  const database = new DatabaseSync(path);
  try {
    database.exec(
      "PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE",
    );
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    [Symbol.dispose]: () => database.close(),
  };
}

function resultOf(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode & 0xff
    : undefined;
}
