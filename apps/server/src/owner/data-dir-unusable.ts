import { storageErrorIn } from "@cleveragents/application";

/** The data directory cannot be used; `hint` says what to do. */
export class DataDirUnusableError extends Error {
  override readonly name = "DataDirUnusableError";
  readonly hint: string;
  constructor(dataDir: string, what: string, hint: string, options?: ErrorOptions) {
    super(`the data directory ${dataDir} cannot be used: ${what}`, options);
    this.hint = hint;
  }
}

const CHOOSE = "or choose another data directory with --data-dir or CLEVERAGENTS_DATA_DIR";
const OURS = `make it yours (chown, chmod u+rwx), ${CHOOSE}`;
const WRITABLE = `see that it is on a disk that is mounted for writing and healthy, ${CHOOSE}`;

const BY_CODE: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  EACCES: ["this user may not write it", OURS],
  EPERM: ["this user may not write it", OURS],
  ENOENT: [
    "nothing can be made there",
    "choose another data directory with --data-dir or CLEVERAGENTS_DATA_DIR",
  ],
  ENOTDIR: ["it is not a directory", `move away what is there, ${CHOOSE}`],
  EEXIST: ["it is not a directory", `move away what is there, ${CHOOSE}`],
  EROFS: ["its file system is mounted read-only", `mount it for writing, ${CHOOSE}`],
  EIO: ["its disk fails", WRITABLE],
};

/** What SQLite says of the lock, by its primary result code (https://sqlite.org/rescode.html). */
const BY_RESULT: Readonly<Record<number, readonly [what: string, hint: string]>> = {
  3: ["this user may not write it", OURS],
  8: ["it cannot be written", WRITABLE],
  10: ["its disk is full or fails", WRITABLE],
  13: ["its disk is full", `free some space, ${CHOOSE}`],
  14: ["nothing can be made in it", WRITABLE],
};

/** A failure of the operating system or of SQLite in a data directory, in words; every other error as it is. */
export function dataDirFailure(dataDir: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errcode } = error as { readonly code?: string; readonly errcode?: number };
  const known = (code !== undefined && BY_CODE[code]) || (errcode !== undefined && BY_RESULT[errcode & 0xff]);
  if (known) return new DataDirUnusableError(dataDir, known[0], known[1], { cause: error });
  const shortage = storageErrorIn(error);
  if (shortage === undefined || "path" in shortage) return error;
  const { summary, advice } = shortage;
  return new DataDirUnusableError(dataDir, summary.toLowerCase(), advice, { cause: error });
}
