import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** A data directory that somebody else owns. */
export class DataDirTakenError extends Error {
  override readonly name = "DataDirTakenError";
  readonly dataDir: string;
  constructor(dataDir: string) {
    super(`another process owns ${dataDir}`);
    this.dataDir = dataDir;
  }
}

/**
 * Takes a data directory for this process: an SQLite file that is locked exclusively. The system lets go of it when the
 * process ends, however it ends, so a lock is never stale. Throws {@link DataDirTakenError}.
 */
export async function lockDataDir(dataDir: string): Promise<Disposable> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(dataDir, "owner.lock"));
  try {
    database.exec(
      "PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE",
    );
  } catch (error) {
    database.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) throw new DataDirTakenError(dataDir);
    throw error;
  }
  return {
    [Symbol.dispose]: () => database.close(),
  };
}
