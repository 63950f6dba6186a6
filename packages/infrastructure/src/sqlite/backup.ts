import { chmodSync, closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { SqliteConnection } from "./sqlite-connection.ts";

const KEPT = 3;

/** A whole copy of the database as `<path>.backup-v<version>`; of such copies those of the newest versions are kept. */
export function backUp(connection: SqliteConnection, version: number): string {
  const backup = `${connection.path}.backup-v${version}`;
  const unfinished = `${backup}.tmp`;
  rmSync(unfinished, { force: true });
  try {
    connection.prepare("vacuum into ?").run(unfinished);
    // It holds what the database holds, and is worth something only once it is on the disk.
    chmodSync(unfinished, 0o600);
    const file = openSync(unfinished, "r+");
    fsyncSync(file);
    closeSync(file);
    renameSync(unfinished, backup);
  } finally {
    rmSync(unfinished, { force: true });
  }
  for (const old of backupsOf(connection.path).slice(KEPT)) rmSync(old, { force: true });
  return backup;
}

/** Newest version first. */
function backupsOf(path: string): readonly string[] {
  const prefix = `${basename(path)}.backup-v`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .sort((a, b) => Number(b.slice(prefix.length)) - Number(a.slice(prefix.length)))
    .map((name) => join(dirname(path), name));
}
