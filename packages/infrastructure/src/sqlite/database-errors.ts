export type DatabaseReason =
  | "DATABASE_NEWER"
  | "DATABASE_CORRUPT"
  | "DATABASE_UNWRITABLE"
  | "DATABASE_FULL"
  | "DATABASE_BUSY";

/** The database file cannot serve. `hint` tells a user what to do about it. */
export abstract class DatabaseError extends Error {
  abstract readonly reason: DatabaseReason;
  abstract readonly hint: string;
  readonly path: string;
  constructor(path: string, what: string, options?: ErrorOptions) {
    super(`${path}: ${what}`, options);
    this.path = path;
  }
}

/** A newer version of this program has migrated the file. */
export class DatabaseTooNewError extends DatabaseError {
  override readonly name = "DatabaseTooNewError";
  readonly reason = "DATABASE_NEWER";
  readonly hint: string;
  constructor(path: string, found: number, known: number) {
    super(path, `the database has version ${found}, this program knows version ${known}`);
    this.hint =
      `Install the version of CleverAgents that wrote it, or a newer one; or move back to the copy that was made ` +
      `before the upgrade (${path}.backup-v${known}, if it is there), without what was done since.`;
  }
}

/** Not a database, not one of ours, cut short, or damaged. */
export class DatabaseCorruptError extends DatabaseError {
  override readonly name = "DatabaseCorruptError";
  readonly reason = "DATABASE_CORRUPT";
  readonly hint: string;
  constructor(path: string, what: string, options?: ErrorOptions) {
    super(path, what, options);
    this.hint =
      `Nothing was changed. Restore ${path} from a backup (copies that were made before upgrades lie beside it as ` +
      `${path}.backup-v*), or move it, with its -wal and -shm files, out of the way to start with an empty one.`;
  }
}

export class DatabaseUnwritableError extends DatabaseError {
  override readonly name = "DatabaseUnwritableError";
  readonly reason = "DATABASE_UNWRITABLE";
  readonly hint: string;
  constructor(path: string, what: string, options?: ErrorOptions) {
    super(path, what, options);
    this.hint =
      "See that its directory exists, belongs to you, and is on a disk that is mounted for writing and healthy; " +
      "or choose another data directory.";
  }
}

export class DatabaseFullError extends DatabaseError {
  override readonly name = "DatabaseFullError";
  readonly reason = "DATABASE_FULL";
  readonly hint = "Free space on its disk, then try again; what was acknowledged before is safe.";
  constructor(path: string, options?: ErrorOptions) {
    super(path, "the disk is full", options);
  }
}

/** Another process holds the file, for longer than we wait. */
export class DatabaseBusyError extends DatabaseError {
  override readonly name = "DatabaseBusyError";
  readonly reason = "DATABASE_BUSY";
  readonly hint = "Another program has the file open for writing: end it, then try again.";
  constructor(path: string, options?: ErrorOptions) {
    super(path, "the database is locked", options);
  }
}
