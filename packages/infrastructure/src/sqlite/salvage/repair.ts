import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Clock, Logger } from "@cleveragents/application";
import type { Migration } from "kysely/migration";
import { DatabaseCorruptError, DatabaseError } from "../database-errors.ts";
import { asideOf, draftOf, putInPlace, stampFor } from "./put-in-place.ts";
import { salvage } from "./salvage.ts";
import { type SalvageReport, summaryOf } from "./salvage-report.ts";

/** That a database was damaged and what came of it; kept beside the damaged file. */
export interface Repair extends SalvageReport {
  /** ISO 8601. */
  readonly at: string;
  readonly damage: string;
  /** The damaged file's name. */
  readonly file: string;
}

/**
 * Puts a new database with everything that can be saved in the place of a damaged one, which is kept aside with its
 * date. Until the new one is complete and on the disk nothing is touched. Throws a `DatabaseError`.
 */
export async function repair(options: {
  readonly path: string;
  readonly damage: DatabaseCorruptError;
  readonly migrations: Readonly<Record<string, Migration>>;
  readonly clock: Clock;
  readonly logger: Logger;
}): Promise<void> {
  const { path, damage, migrations, clock, logger } = options;
  const target = draftOf(path);
  const now = clock.now();
  const stamp = stampFor(path, now);
  try {
    closeSync(openSync(target, "wx", 0o600));
    const report = await salvage({ path, target, migrations, clock });
    const file = basename(asideOf(path, stamp));
    const text: Repair = { at: new Date(now).toISOString(), damage: damage.what, file, ...report };
    writeFileSync(asideOf(path, stamp, ".json"), `${JSON.stringify(text, null, 2)}\n`, { mode: 0o600 });
    putInPlace(path, stamp);
    logger.error({ ...text }, `the database was damaged and has been repaired: ${summaryOf(report)}`);
  } catch (error) {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(target + suffix, { force: true });
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseCorruptError(path, `${damage.what}, and could not be repaired`, {
      cause: error,
      hint: `Nothing was changed. Restore ${path} from a backup, or move it, with its -wal and -shm files, out of the way to start with an empty one.`,
    });
  }
}

/** Repairs whose damaged file is still kept, oldest first. */
export function repairsOf(path: string): readonly Repair[] {
  const prefix = `${basename(path)}.damaged-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && name.endsWith(".json"))
    .sort()
    .flatMap((name) => {
      try {
        return [JSON.parse(readFileSync(join(dirname(path), name), "utf8")) as Repair];
      } catch {
        return [];
      }
    });
}
