import { StorageError } from "@cleveragents/application";

/** Where a database is, without who asks and how: it may be logged and shown to the operator. */
export type DatabasePlace = string;

/** The database cannot serve. `hint` tells the operator what to do; `summary` and `advice` a peer. */
export abstract class PostgresError extends StorageError {
  abstract readonly hint: string;
  readonly place: DatabasePlace;
  constructor(place: DatabasePlace, what: string, options?: ErrorOptions) {
    super(`${place}: ${what}`, options);
    this.place = place;
  }
}

/** It did not answer for as long as we wait. What a commit was to change may or may not have been changed. */
export class PostgresUnavailableError extends PostgresError {
  override readonly name = "PostgresUnavailableError";
  readonly reason = "DATABASE_UNAVAILABLE";
  readonly summary = "The agent's database does not answer";
  readonly advice = "try again in a moment";
  readonly hint = "See that the database server runs, takes connections, and can be reached from here.";
}

/** It answers, but has no room to work: its disk is full, its memory, or its connections are used up. */
export class PostgresExhaustedError extends PostgresError {
  override readonly name = "PostgresExhaustedError";
  readonly reason = "NO_SPACE";
  readonly summary = "The agent's database is out of resources";
  readonly advice = "try again later; what was acknowledged is safe";
  readonly hint =
    "See the database server's log: its disk is full, or it has too little memory or too few connections.";
}

/** It refuses us: the name, the password, the database, or what the user may do there. */
export class PostgresRefusedError extends PostgresError {
  override readonly name = "PostgresRefusedError";
  readonly reason = "DATABASE_REFUSED";
  readonly summary = "The agent's database refuses the agent";
  readonly advice = "ask who runs the agent to look at its database settings";
  readonly hint = "Check user, password and database in DATABASE_URL, and what that user may do there.";
}

/** Too old, or made in a way that cannot keep what we write. */
export class PostgresUnsupportedError extends PostgresError {
  override readonly name = "PostgresUnsupportedError";
  readonly reason = "DATABASE_UNSUPPORTED";
  readonly summary = "The agent's database is of a kind that the agent cannot use";
  readonly advice = "ask who runs the agent to look at its database settings";
  readonly hint: string;
  constructor(place: DatabasePlace, what: string, hint: string) {
    super(place, what);
    this.hint = hint;
  }
}

/** A newer version of this program has migrated the database. */
export class PostgresTooNewError extends PostgresError {
  override readonly name = "PostgresTooNewError";
  readonly reason = "DATABASE_NEWER";
  readonly summary = "The agent's database was written by a newer version";
  readonly advice = "install that version of CleverAgents, or a newer one";
  readonly hint = "Nothing was changed. Install the version of CleverAgents that wrote it, or a newer one.";
}

/** There is something else in the database: it is not ours to change. */
export class PostgresForeignError extends PostgresError {
  override readonly name = "PostgresForeignError";
  readonly reason = "DATABASE_FOREIGN";
  readonly summary = "The agent's database belongs to another program";
  readonly advice = "ask who runs the agent to look at its database settings";
  readonly hint = "Nothing was changed. Make a database for CleverAgents alone, and name it in DATABASE_URL.";
}
