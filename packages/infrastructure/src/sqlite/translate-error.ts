import { closeSync, openSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import {
  DatabaseBusyError,
  DatabaseCorruptError,
  DatabaseError,
  DatabaseFullError,
  DatabaseHandlesError,
  DatabaseUnwritableError,
} from "./database-errors.ts";

/** The least that SQLite needs beside the file to begin. */
const FULL_BYTES = 64 * 1024;

/** Primary result codes (https://sqlite.org/rescode.html); extended ones carry them in the low byte. */
const CODE = {
  perm: 3,
  busy: 5,
  locked: 6,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantopen: 14,
  notadb: 26,
};

/** What the file could not do, as one of our errors. Everything else (a constraint, a mistake in SQL) is left as it is. */
export function translateError(error: unknown, path: string): unknown {
  if (error instanceof DatabaseError) return error;
  const code = sqliteCode(error);
  const options = { cause: error };
  // Where SQLite maps the beginning of its log into memory, a full disk is an I/O error to it.
  if ((code === CODE.ioerr || code === CODE.cantopen) && isFull(path))
    return new DatabaseFullError(path, options);
  if (code === CODE.cantopen && lacksHandles(path)) return new DatabaseHandlesError(path, options);
  switch (code) {
    case CODE.full:
      return new DatabaseFullError(path, options);
    case CODE.corrupt:
      return new DatabaseCorruptError(path, "the database is damaged", options);
    case CODE.notadb:
      return new DatabaseCorruptError(path, "the file is not a database", options);
    case CODE.busy:
    case CODE.locked:
      return new DatabaseBusyError(path, options);
    case CODE.perm:
    case CODE.readonly:
    case CODE.cantopen:
      return new DatabaseUnwritableError(path, "the database cannot be written", options);
    case CODE.ioerr:
      return new DatabaseUnwritableError(path, "the disk failed", options);
    default:
      return error;
  }
}

function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < FULL_BYTES;
  } catch {
    return false;
  }
}

/** SQLite says no more than that it could not open something. */
function lacksHandles(path: string): boolean {
  try {
    closeSync(openSync(dirname(path), "r"));
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "EMFILE" || code === "ENFILE";
  }
}

function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number")
    return undefined;
  return error.errcode & 0xff;
}
