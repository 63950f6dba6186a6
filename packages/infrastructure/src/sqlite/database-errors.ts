import { StorageError } from "@cleveragents/application";

export type DatabaseReason =
  | "DATABASE_NEWER"
  | "DATABASE_CORRUPT"
  | "DATABASE_FOREIGN"
  | "DATABASE_UNWRITABLE"
  | "NO_SPACE"
  | "TOO_MANY_OPEN_FILES"
  | "DATABASE_BUSY";

/** The database file cannot serve. `hint` tells the user of this machine what to do; `summary` and `advice` a peer. */
export abstract class DatabaseError extends StorageError {
  abstract override readonly reason: DatabaseReason;
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
  readonly summary = "The agent's database was written by a newer version";
  readonly advice = "install that version of CleverAgents, or a newer one";
  readonly hint: string;
  constructor(path: string, found: number, known: number) {
    super(path, `the database has version ${found}, this program knows version ${known}`);
    this.hint =
      `Install the version of CleverAgents that wrote it, or a newer one; or move back to the copy that was made ` +
      `before the upgrade (${path}.backup-v${known}, if it is there), without what was done since.`;
  }
}

/** Cut short, overwritten, or damaged inside. The next start saves what can be read of it. */
export class DatabaseCorruptError extends DatabaseError {
  override readonly name = "DatabaseCorruptError";
  readonly reason = "DATABASE_CORRUPT";
  readonly summary = "The agent's database is damaged";
  readonly advice = "start the agent again: it repairs the database, and says what was lost";
  readonly hint: string;
  readonly what: string;
  constructor(path: string, what: string, options: ErrorOptions & { readonly hint?: string } = {}) {
    super(path, what, options);
    this.what = what;
    this.hint =
      options.hint ??
      `Start the agent again: it saves what can be read, and keeps the damaged file. Copies that were made before ` +
        `upgrades lie beside it as ${path}.backup-v*.`;
  }
}

/** There is something else in the file's place: it is not ours to repair. */
export class DatabaseForeignError extends DatabaseError {
  override readonly name = "DatabaseForeignError";
  readonly reason = "DATABASE_FOREIGN";
  readonly summary = "Something else lies where the agent's database belongs";
  readonly advice = "move it away, or choose another data directory";
  readonly hint: string;
  constructor(path: string, what: string) {
    super(path, what);
    this.hint = `Nothing was changed. Move ${path} away, or choose another data directory.`;
  }
}

export class DatabaseUnwritableError extends DatabaseError {
  override readonly name = "DatabaseUnwritableError";
  readonly reason = "DATABASE_UNWRITABLE";
  readonly summary = "The agent's database cannot be written";
  readonly advice =
    "see that the data directory is there, belongs to the agent's user, and is on a healthy disk that is mounted for writing";
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
  readonly reason = "NO_SPACE";
  readonly summary = "The agent's disk is full";
  readonly advice =
    "free space on the disk of the data directory, then try again; what was acknowledged is safe";
  readonly hint = "Free space on its disk, then try again; what was acknowledged before is safe.";
  constructor(path: string, options?: ErrorOptions) {
    super(path, "the disk is full", options);
  }
}

/** The process has no file handles left. */
export class DatabaseHandlesError extends DatabaseError {
  override readonly name = "DatabaseHandlesError";
  readonly reason = "TOO_MANY_OPEN_FILES";
  readonly summary = "The agent has no file handles left";
  readonly advice =
    "try again in a moment; if it stays so, raise the limit of open files (ulimit -n) and start the agent again";
  readonly hint = "Raise the limit of open files (ulimit -n), then start the agent again.";
  constructor(path: string, options?: ErrorOptions) {
    super(path, "too many files are open", options);
  }
}

/** Another process holds the file, for longer than we wait. */
export class DatabaseBusyError extends DatabaseError {
  override readonly name = "DatabaseBusyError";
  readonly reason = "DATABASE_BUSY";
  readonly summary = "The agent's database is held by another program";
  readonly advice = "end the program that has it open for writing, then try again";
  readonly hint = "Another program has the file open for writing: end it, then try again.";
  constructor(path: string, options?: ErrorOptions) {
    super(path, "the database is locked", options);
  }
}
