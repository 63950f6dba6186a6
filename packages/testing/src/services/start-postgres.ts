import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { findPostgresBinaries } from "./find-binaries.ts";
import { PostgresCluster } from "./postgres-cluster.ts";

export interface TestDatabase extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
}

/** A PostgreSQL server for tests. */
export interface PostgresService {
  /** An empty database, which is dropped when it is disposed of, whoever is connected. */
  createDatabase(options?: { readonly with?: string }): Promise<TestDatabase>;
  /** Present if the server is this caller's own, to be stopped and killed. */
  readonly cluster?: PostgresCluster;
  stop(): Promise<void>;
}

export interface StartPostgresOptions {
  /** A server that no other test uses, which may be killed; stopped by whoever asked for it. */
  readonly own?: boolean;
}

/** One server for all test files of a worker: it ends with the worker's process. */
let shared: Promise<PostgresCluster> | undefined;

/**
 * The server of `TEST_DATABASE_URL`, else one that is started from the binaries on this machine. Undefined, with the
 * reason on stderr, if there are none: the caller skips its tests. With `REQUIRE_SERVICES=1` that is an error.
 */
export async function startPostgres(
  options: StartPostgresOptions = {},
): Promise<PostgresService | undefined> {
  const url = process.env["TEST_DATABASE_URL"];
  if (url !== undefined && url !== "" && options.own !== true) return new Service(url);
  const binaries = findPostgresBinaries(process.env);
  if (binaries === undefined)
    return missing("no PostgreSQL server: set TEST_DATABASE_URL, or install postgresql");
  try {
    if (options.own === true) return ownService(await PostgresCluster.create(binaries));
    shared ??= PostgresCluster.create(binaries);
    return new Service((await shared).url("postgres"));
  } catch (error) {
    return missing(`PostgreSQL does not start: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function missing(reason: string): undefined {
  if (process.env["REQUIRE_SERVICES"] === "1") throw new Error(reason);
  process.stderr.write(`skipped: tests on PostgreSQL (${reason})\n`);
  return undefined;
}

function ownService(cluster: PostgresCluster): PostgresService {
  const service = new Service(cluster.url("postgres"));
  return {
    cluster,
    createDatabase: (options) => service.createDatabase(options),
    stop: () => cluster.dispose(),
  };
}

class Service implements PostgresService {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async createDatabase(options: { readonly with?: string } = {}): Promise<TestDatabase> {
    const name = `cleveragents_test_${randomBytes(6).toString("hex")}`;
    await this.#execute(`create database ${name} ${options.with ?? ""}`);
    const url = new URL(this.#url);
    url.pathname = `/${name}`;
    return {
      name,
      url: url.href,
      [Symbol.asyncDispose]: () => this.#execute(`drop database if exists ${name} with (force)`),
    };
  }

  /** A server that others share outlives each of them. */
  async stop(): Promise<void> {}

  async #execute(statement: string): Promise<void> {
    const client = new Client({ connectionString: this.#url });
    client.on("error", () => undefined);
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }
}
