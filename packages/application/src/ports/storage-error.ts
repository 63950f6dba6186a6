/**
 * What the agent keeps cannot be written or read just now: nothing of the call was done, and it may succeed once the
 * cause is gone. `reason` is stable; `summary` and `advice` are for peers too, so they hold no path.
 */
export abstract class StorageError extends Error {
  abstract readonly reason: string;
  abstract readonly summary: string;
  abstract readonly advice: string;
}

/** A call of the operating system that failed for want of something that may come back. */
export class SystemResourceError extends StorageError {
  override readonly name = "SystemResourceError";
  readonly reason: string;
  readonly summary: string;
  readonly advice: string;

  constructor({ reason, summary, advice }: Shortage, cause: unknown) {
    super(summary, { cause });
    this.reason = reason;
    this.summary = summary;
    this.advice = advice;
  }
}

interface Shortage {
  readonly reason: string;
  readonly summary: string;
  readonly advice: string;
}

const FULL: Shortage = {
  reason: "NO_SPACE",
  summary: "The disk is full",
  advice: "free some space (or quota) where the data directory and the project are, then try again",
};
const HANDLES: Shortage = {
  reason: "TOO_MANY_OPEN_FILES",
  summary: "The agent has no file handles left",
  advice:
    "try again in a moment; if it stays so, raise the limit of open files (ulimit -n) and start it again",
};
const READ_ONLY: Shortage = {
  reason: "READ_ONLY",
  summary: "A file system is mounted read-only",
  advice: "mount the file system of the data directory and the project for writing, then try again",
};

const PROCESSES: Shortage = {
  reason: "TOO_MANY_PROCESSES",
  summary: "The agent cannot start another process",
  advice: "try again in a moment; if it stays so, end some processes or raise their limit (ulimit -u)",
};
const NO_PERMISSION: Shortage = {
  reason: "NO_PERMISSION",
  summary: "The agent may not use a file or folder that it needs",
  advice: "give the agent's user the data directory and the project back (chown, chmod), then try again",
};
const DISK_FAILED: Shortage = {
  reason: "DISK_FAILED",
  summary: "A disk fails",
  advice: "look at the disk of the data directory and the project, then try again",
};

/** By the names that the operating system gives them. */
const SHORTAGES: Readonly<Record<string, Shortage>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EMFILE: HANDLES,
  ENFILE: HANDLES,
  EAGAIN: PROCESSES,
  EROFS: READ_ONLY,
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  EIO: DISK_FAILED,
};

/** A failure of storage, found in an error or in what caused it; undefined for every other error. */
export function storageErrorIn(thrown: unknown): StorageError | undefined {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 8; error = error.cause, depth++) {
    if (error instanceof StorageError) return error;
    const code = "code" in error && typeof error.code === "string" ? error.code : "";
    const shortage = Object.hasOwn(SHORTAGES, code) ? SHORTAGES[code] : undefined;
    if (shortage !== undefined) return new SystemResourceError(shortage, error);
  }
  return undefined;
}
