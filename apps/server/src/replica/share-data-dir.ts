import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { readDiscovery } from "@cleveragents/transport-stdio/client";
import { makeDataDir } from "../assemble-agent.ts";
import { DataDirTakenError } from "../owner/data-dir-lock.ts";
import {
  type HostFile,
  hostFileOf,
  machineOf,
  newHostName,
  newToken,
  readHostFile,
  writeHostFile,
} from "./host-file.ts";

/** Another process that begins to share holds the lock alone for a moment; an owner holds it for as long as it lives. */
const PATIENCE_MS = 5000;

/** A directory whose plans are elsewhere, or whose processes are: using it with a database would lose or mix them. */
export class DataDirNotSharedError extends Error {
  override readonly name = "DataDirNotSharedError";
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

export interface SharedDataDir extends Disposable, HostFile {}

/**
 * Takes part in a data directory together with other processes on the same database, for as long as it is not disposed
 * of: the lock that an owner holds for itself is shared. Who comes first makes the host's file anew. Throws
 * `DataDirTakenError` where an owner without a database has it, and {@link DataDirNotSharedError}.
 */
export async function shareDataDir(dataDir: string): Promise<SharedDataDir> {
  await makeDataDir(dataDir);
  const killed = (await readDiscovery(dataDir)) !== undefined;
  const database = new DatabaseSync(join(dataDir, "owner.lock"));
  try {
    database.exec("PRAGMA busy_timeout = 0");
    if (tryTo(database, "BEGIN EXCLUSIVE")) {
      refusePlansOf(dataDir);
      const before = readHostFile(dataDir);
      writeHostFile(dataDir, {
        version: 1,
        host: before?.host ?? newHostName(),
        machine: machineOf(),
        // Fronts and clients of a process that was killed go on with its credential.
        token: killed && before !== undefined ? before.token : newToken(),
      });
      database.exec("COMMIT");
    }
    await share(database, dataDir);
    const file = readHostFile(dataDir);
    if (file === undefined) throw new Error(`${hostFileOf(dataDir)} is gone`);
    if (file.machine !== machineOf())
      throw new DataDirNotSharedError(
        `${dataDir} is in use by a process of another machine or container`,
        "give each machine a data directory of its own; the database is what they share",
      );
    return { ...file, [Symbol.dispose]: () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Refuses a directory that belongs to processes on a database. For an owner, which holds the lock. */
export function refuseShared(dataDir: string): void {
  if (!existsSync(hostFileOf(dataDir))) return;
  throw new DataDirNotSharedError(
    `the plans of ${dataDir} are in a database, and DATABASE_URL is not set`,
    `set DATABASE_URL, or use another data directory; if that database is gone for good, remove ${hostFileOf(dataDir)}`,
  );
}

async function share(database: DatabaseSync, dataDir: string): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(20)) {
    // A read that has begun holds a shared lock until it ends, and the system ends it with the process.
    if (tryTo(database, "BEGIN; SELECT count(*) FROM sqlite_master")) return;
    if (database.isTransaction) database.exec("ROLLBACK");
    if (performance.now() > deadline) throw new DataDirTakenError(dataDir);
  }
}

function tryTo(database: DatabaseSync, statement: string): boolean {
  try {
    database.exec(statement);
    return true;
  } catch (error) {
    if (error instanceof Error && /locked|busy/i.test(error.message)) return false;
    throw error;
  }
}

/** Plans of an owner without a database would be out of everybody's sight. */
function refusePlansOf(dataDir: string): void {
  const path = join(dataDir, "store.db");
  if (!existsSync(path)) return;
  const store = new DatabaseSync(path, { timeout: 1000 });
  let plans: boolean;
  try {
    plans = store.prepare("SELECT 1 FROM tasks LIMIT 1").get() !== undefined;
  } catch (error) {
    // Not a table yet: nothing was ever kept there.
    if (!(error instanceof Error && /no such table/.test(error.message))) throw error;
    plans = false;
  } finally {
    store.close();
  }
  if (!plans) return;
  throw new DataDirNotSharedError(
    `${dataDir} holds the tasks of a server without a database`,
    "use another --data-dir for DATABASE_URL, or start without DATABASE_URL",
  );
}
