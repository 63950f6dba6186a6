import { accessSync, closeSync, constants, existsSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { checkRequestOf } from "./check-request.ts";
import {
  DatabaseCorruptError,
  DatabaseForeignError,
  DatabaseTooNewError,
  DatabaseUnwritableError,
} from "./database-errors.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;
/** Reading a file through takes some 5 ms per MB: small ones are, at every start; */
const ALWAYS_CHECKED_BYTES = 4 * 1024 * 1024;
/** larger ones when the process before did not close it. In the largest, damage shows when it is met. */
const CHECKED_AFTER_CRASH_BYTES = 64 * 1024 * 1024;

/** What lies at a path: nothing yet, or a database of ours and how many of the migrations it has. */
export type Found = { readonly kind: "new" } | { readonly kind: "ours"; readonly version: number };

/**
 * Looks at the file without changing it, and refuses what must not be opened: another program's file, a newer
 * version's, a damaged one, or one that we could not write. `used`: there should be something.
 */
export function inspectFile(path: string, known: readonly string[], used = false): Found {
  assertWritable(path);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  const log = sizeOf(`${path}-wal`);
  if (size === undefined && log === 0) return { kind: "new" };
  if (!size) {
    if (log > 0 || used)
      throw new DatabaseCorruptError(path, size === 0 ? "the file is empty" : "only its log is there");
    return { kind: "new" };
  }
  assertHeader(path, log);
  // A first start that was killed has left a journal, which only a connection that writes can take back.
  const found = look(path, known, log, { readOnly: !existsSync(`${path}-journal`) });
  rmSync(checkRequestOf(path), { force: true });
  return found;
}

/** Whether a database file is whole, as far as a quick look tells; throws `DatabaseCorruptError` if it is not. */
export function assertWhole(path: string): void {
  const log = sizeOf(`${path}-wal`);
  if (sizeOf(path) === 0 && log === 0) return;
  if (sizeOf(path) === 0) throw new DatabaseCorruptError(path, "only its log is there");
  assertHeader(path, log);
  const connection = new SqliteConnection(path, { readOnly: true });
  try {
    check(connection, path, log);
  } finally {
    connection.close();
  }
}

function assertWritable(path: string): void {
  try {
    // SQLite makes its log beside the file.
    accessSync(dirname(path), constants.R_OK | constants.W_OK | constants.X_OK);
    if (!existsSync(path)) return;
    if (!statSync(path).isFile()) throw new DatabaseForeignError(path, "this is not a file");
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (error instanceof DatabaseForeignError) throw error;
    throw new DatabaseUnwritableError(path, "the file or its directory cannot be written", { cause: error });
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The header (https://sqlite.org/fileformat.html#the_database_header) names the format, and how long the file is. */
function assertHeader(path: string, log: number): void {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, "r");
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  if (header.toString("latin1", 0, MAGIC.length) !== MAGIC) {
    throw new DatabaseCorruptError(path, "the file is not a database");
  }
  const pageSize = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16);
  const pages = header.readUInt32BE(28);
  // While a log waits to be written back, the file may be shorter than it will be.
  if (log === 0 && statSync(path).size < pages * pageSize) {
    throw new DatabaseCorruptError(path, "the file has been cut short");
  }
}

function look(
  path: string,
  known: readonly string[],
  log: number,
  options: { readonly readOnly: boolean },
): Found {
  const connection = new SqliteConnection(path, options);
  try {
    check(connection, path, log);
    const tables = connection
      .prepare<{ name: string }>("select name from sqlite_schema where type = 'table'")
      .all();
    if (tables.length === 0) return { kind: "new" };
    if (!tables.some(({ name }) => name === "kysely_migration")) {
      throw new DatabaseForeignError(path, "the database belongs to another program");
    }
    const applied = connection.prepare<{ name: string }>("select name from kysely_migration").all();
    if (applied.some(({ name }) => !known.includes(name))) {
      throw new DatabaseTooNewError(path, applied.length, known.length);
    }
    return applied.length === 0 ? { kind: "new" } : { kind: "ours", version: applied.length };
  } finally {
    connection.close();
  }
}

/** In full where that was asked for; else quickly, where the file is small or its last user was killed. */
function check(connection: SqliteConnection, path: string, log: number): void {
  const full = existsSync(checkRequestOf(path));
  const size = sizeOf(path);
  if (!full && size > ALWAYS_CHECKED_BYTES && (log === 0 || size > CHECKED_AFTER_CRASH_BYTES)) return;
  const pragma = full ? "integrity_check" : "quick_check";
  const verdict = connection.prepare<Record<string, string>>(`pragma ${pragma}(1)`).get()?.[pragma];
  if (verdict !== "ok") throw new DatabaseCorruptError(path, `the database is damaged (${verdict})`);
}
