import { type ClientConfig, types } from "pg";
import type { DatabasePlace } from "./database-errors.ts";

interface Options {
  readonly url: string;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs?: number | undefined;
}

/** OID of `bigint`: times and sequences, all of which a number holds. */
const INT8 = 20;

export function clientConfig({ url, connectTimeoutMs, statementTimeoutMs }: Options): ClientConfig {
  return {
    connectionString: url,
    application_name: "cleveragents",
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs ?? connectTimeoutMs,
    // A process that is stopped in the middle of a transaction must not hold its locks for ever.
    idle_in_transaction_session_timeout: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: {
      getTypeParser: (oid, format) =>
        oid === INT8 ? (value: string) => Number(value) : types.getTypeParser(oid, format),
    },
  };
}

/** Throws if this is no address of a database; the error does not repeat it, since it may hold a password. */
export function placeOf(url: string): DatabasePlace {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new TypeError(
      "the database's address is not of the form postgresql://user:password@host:port/database",
    );
  }
  const host = parsed.host || parsed.searchParams.get("host") || "localhost";
  return `${host}${parsed.pathname}`;
}
