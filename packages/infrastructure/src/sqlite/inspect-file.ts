import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseCorruptError, DatabaseTooNewError, DatabaseUnwritableError } from "./database-errors.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;
/** Larger files are not read through at each start (it takes some 5 ms per MB): there, damage shows when it is met. */
const CHECKED_BYTES = 32 * 1024 * 1024;

/** What lies at a path: nothing yet, or a database of ours and how many of the migrations it has. */
export type Found = { readonly kind: "new" } | { readonly kind: "ours"; readonly version: number };

/**
 * Looks at the file without changing it, and refuses what must not be opened: another program's file, a newer
 * version's, a damaged one, or one that we could not write.
 */
export function inspectFile(path: string, known: readonly string[]): Found {
  assertWritable(path);
  if (!existsSync(path) || statSync(path).size === 0) return { kind: "new" };
  assertHeader(path);
  // A first start that was killed has left a journal, which only a connection that writes can take back.
  return look(path, known, { readOnly: !existsSync(`${path}-journal`) });
}

function assertWritable(path: string): void {
  try {
    // SQLite makes its log beside the file.
    accessSync(dirname(path), constants.R_OK | constants.W_OK | constants.X_OK);
    if (!existsSync(path)) return;
    if (!statSync(path).isFile()) throw new DatabaseCorruptError(path, "this is not a file");
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (error instanceof DatabaseCorruptError) throw error;
    throw new DatabaseUnwritableError(path, "the file or its directory cannot be written", { cause: error });
  }
}

/** The header (https://sqlite.org/fileformat.html#the_database_header) names the format, and how long the file is. */
function assertHeader(path: string): void {
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
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if ((log?.size ?? 0) === 0 && statSync(path).size < pages * pageSize) {
    throw new DatabaseCorruptError(path, "the file has been cut short");
  }
}

function look(path: string, known: readonly string[], options: { readonly readOnly: boolean }): Found {
  const connection = new SqliteConnection(path, options);
  try {
    if (statSync(path).size <= CHECKED_BYTES) {
      const check = connection.prepare<{ quick_check: string }>("pragma quick_check(1)").get()?.quick_check;
      if (check !== "ok") throw new DatabaseCorruptError(path, `the database is damaged (${check})`);
    }
    const tables = connection
      .prepare<{ name: string }>("select name from sqlite_schema where type = 'table'")
      .all();
    if (tables.length === 0) return { kind: "new" };
    if (!tables.some(({ name }) => name === "kysely_migration")) {
      throw new DatabaseCorruptError(path, "the database belongs to another program");
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
