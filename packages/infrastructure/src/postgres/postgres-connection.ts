import type { Logger } from "@cleveragents/application";
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import { Client, type ClientConfig, Pool, type QueryConfig } from "pg";
import { fromColumnText, toColumnText } from "../schema/column-text.ts";
import { StoreClosedError } from "../schema/store-closed-error.ts";
import type { Changed } from "../schema/store-queries.ts";
import type { Tables } from "../schema/tables.ts";
import { clientConfig, placeOf } from "./client-config.ts";
import type { DatabasePlace } from "./database-errors.ts";
import { toStorageError } from "./failure.ts";
import { deadlineIn, persist } from "./patience.ts";
import { Statement } from "./statement.ts";

export interface PostgresConnectionOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs?: number | undefined;
  readonly logger: Logger;
}

export interface Answer<Row> extends Changed {
  readonly rows: readonly Row[];
}

const CHECK_WITHIN_MS = 2000;
/** One connection writes and one listens; the rest of the pool is for everything else. */
const APART = 2;

/**
 * A process's way to its database. Statements that stand alone go through a pool; one that finds the database away
 * waits for it until its time is up. Only such statements go this way that may be carried out twice.
 */
export class PostgresConnection {
  readonly place: DatabasePlace;
  readonly timeoutMs: number;
  /** Builds queries, and does not execute them. */
  readonly queries: Kysely<Tables>;
  readonly #config: ClientConfig;
  readonly #pool: Pool;
  #statements = 0;
  #closed = false;

  constructor(options: PostgresConnectionOptions) {
    this.#config = clientConfig(options);
    this.place = placeOf(options.url);
    this.timeoutMs = options.connectTimeoutMs;
    this.queries = new Kysely<Tables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
    this.#pool = new Pool({
      ...this.#config,
      max: Math.max(1, options.poolSize - APART),
      idleTimeoutMillis: 60_000,
    });
    // A connection that breaks while nobody uses it leaves the pool by itself.
    this.#pool.on("error", (error) => {
      // Its own words alone: beside them it holds the client, with the key by which the server ends its queries.
      options.logger.warn(
        { error: error.message, database: this.place },
        "an idle connection to the database broke",
      );
    });
  }

  /** A connection of the caller's own, not yet connected. */
  client(): Client {
    this.#assertOpen();
    return new Client(this.#config);
  }

  /** For connections on which tables are made: building an index may take longer than a call may. */
  migrationConfig(): ClientConfig {
    return { ...this.#config, statement_timeout: 0, idle_in_transaction_session_timeout: 0 };
  }

  /** A query of the builder, compiled once; its parameters are given at each call, in their order. */
  compiled<Row>(query: { compile(): CompiledQuery<Row> }): Statement<Row> {
    this.#statements += 1;
    return new Statement<Row>(this, `statement ${this.#statements}`, query.compile().sql);
  }

  async rows<Row>(query: { compile(): CompiledQuery<Row> }): Promise<readonly Row[]> {
    return (await this.change(query)).rows;
  }

  change<Row>(query: { compile(): CompiledQuery<Row> }): Promise<Answer<Row>> {
    const { sql, parameters } = query.compile();
    return this.run<Row>({ text: sql }, parameters);
  }

  async run<Row>(
    statement: { readonly text: string; readonly name?: string },
    parameters: readonly unknown[],
  ): Promise<Answer<Row>> {
    const values = parameters.map(toColumn);
    return persist<Answer<Row>>(
      async ({ withinMs, repeated }) => {
        this.#assertOpen();
        const query: QueryConfig & { query_timeout: number } = {
          ...statement,
          values,
          query_timeout: withinMs,
        };
        const { rows, rowCount } = await this.#pool.query<Record<string, unknown>>(query);
        for (const row of rows) fromColumns(row);
        return { rows: rows as Row[], changed: rowCount ?? 0, repeated };
      },
      { deadline: deadlineIn(this.timeoutMs), place: this.place },
    );
  }

  /** Throws if the database cannot be read; does not wait for it to come back. */
  async check(): Promise<void> {
    this.#assertOpen();
    const query: QueryConfig & { query_timeout: number } = {
      text: "select name from kysely_migration limit 1",
      query_timeout: CHECK_WITHIN_MS,
    };
    try {
      await this.#pool.query(query);
    } catch (error) {
      throw toStorageError(error, this.place);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#pool.end();
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreClosedError();
  }
}

export function toColumn(value: unknown): unknown {
  if (typeof value === "string") return toColumnText(value);
  return Array.isArray(value) ? value.map(toColumn) : value;
}

function fromColumns(row: Record<string, unknown>): void {
  for (const [column, value] of Object.entries(row)) {
    if (typeof value === "string") row[column] = fromColumnText(value);
  }
}
