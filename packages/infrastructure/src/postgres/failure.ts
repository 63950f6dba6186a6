import { StorageError } from "@cleveragents/application";
import {
  type DatabasePlace,
  PostgresExhaustedError,
  PostgresRefusedError,
  PostgresUnavailableError,
} from "./database-errors.ts";

/**
 * What a failed call to the server means. `lost`: the connection is gone, and whether the server did what it was told
 * is not known. `undone`: it did not, for the sake of another transaction. Both may be tried again.
 */
export type Failure = "lost" | "undone" | "slow" | "exhausted" | "refused" | "other";

/** SQLSTATEs (https://www.postgresql.org/docs/current/errcodes-appendix.html), whole or by class. */
const BY_STATE: Readonly<Record<string, Failure>> = {
  "08": "lost",
  "57P01": "lost",
  "57P02": "lost",
  "57P03": "lost",
  "57P05": "lost",
  // A standby, which after a switch-over is what the old address still leads to for a moment.
  "25006": "lost",
  "53300": "lost",
  "40001": "undone",
  "40P01": "undone",
  "57014": "slow",
  "53": "exhausted",
  "58": "exhausted",
  "28": "refused",
  "3D": "refused",
  "42501": "refused",
};

/** How the driver's own errors begin, which have no code: it has lost the connection, or waits for it in vain. */
const LOST = /^(Connection terminated|timeout e|Query read timeout|Client (has encountered|was closed))/;
/** How the system names what is wrong with a connection or with the way there. */
const SYSTEM = /^(E[A-Z]+|E[A-Z]+_[A-Z]+)$/;

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error) || error instanceof StorageError) return "other";
  if (!("code" in error) || typeof error.code !== "string")
    return LOST.test(error.message) ? "lost" : "other";
  if (SYSTEM.test(error.code)) return "lost";
  return BY_STATE[error.code] ?? BY_STATE[error.code.slice(0, 2)] ?? "other";
}

const isMissing = (error: unknown) => error instanceof Error && "code" in error && error.code === "3D000";

/** The same as one of our errors; what is no failure of the database's (a mistake of ours) is left as it is. */
export function toStorageError(error: unknown, place: DatabasePlace): unknown {
  const options = { cause: error };
  switch (failureOf(error)) {
    case "lost":
      return new PostgresUnavailableError(place, "the database does not answer", options);
    case "undone":
      return new PostgresUnavailableError(
        place,
        "the database gave way to other transactions again and again",
        options,
      );
    case "slow":
      return new PostgresUnavailableError(place, "the database took too long", options);
    case "exhausted":
      return new PostgresExhaustedError(place, "the database is out of resources", options);
    case "refused":
      return new PostgresRefusedError(
        place,
        isMissing(error) ? "there is no such database" : "the database refuses this user",
        options,
      );
    default:
      return error;
  }
}
