import { type HostRegistry, HostTakenError } from "@cleveragents/application";
import { connectPostgres, ENGINE_SCHEMA, type PostgresPlace } from "./connect-postgres.ts";
import { migrateEngine } from "./migrate-engine.ts";

export interface PostgresHostRegistryDeps extends PostgresPlace {
  readonly host: string;
  /** Tells this host's data directory from another one that was given the same name. */
  readonly directory: string;
}

/** A name is free again when its bearer was not heard of for so long. */
const FREE_AFTER = "60 seconds";

/** Hosts as rows beside the engine's tables, by the database's clock. */
export class PostgresHostRegistry implements HostRegistry {
  readonly #deps: PostgresHostRegistryDeps;
  readonly #sql: ReturnType<typeof connectPostgres>;
  #table: Promise<unknown> | undefined;

  constructor(deps: PostgresHostRegistryDeps) {
    this.#deps = deps;
    this.#sql = connectPostgres(deps, 1);
  }

  async beat(): Promise<void> {
    const { host, directory } = this.#deps;
    await this.#made();
    const [bearer] = await this.#sql`
      INSERT INTO ${this.#sql(ENGINE_SCHEMA)}."hosts" AS known ("host", "directory", "seen_at")
      VALUES (${host}, ${directory}, now())
      ON CONFLICT ("host") DO UPDATE SET "directory" = excluded."directory", "seen_at" = now()
      WHERE known."directory" = excluded."directory" OR known."seen_at" < now() - ${FREE_AFTER}::interval
      RETURNING "host"`;
    if (bearer === undefined) throw new HostTakenError(host);
  }

  async silent(forMs: number): Promise<readonly string[]> {
    await this.#made();
    const rows = await this.#sql`
      SELECT "host" FROM ${this.#sql(ENGINE_SCHEMA)}."hosts"
      WHERE "seen_at" < now() - ${forMs} * interval '1 millisecond'`;
    return rows.map((row) => String(row["host"]));
  }

  close(): Promise<void> {
    return this.#sql.end({ timeout: 2 });
  }

  async #made(): Promise<void> {
    this.#table ??= this.#make();
    await this.#table.catch((error: unknown) => {
      this.#table = undefined; // tried again at the next beat
      throw error;
    });
  }

  async #make(): Promise<void> {
    const [schema] = await this.#sql`SELECT to_regnamespace(${ENGINE_SCHEMA}) IS NOT NULL AS "there"`;
    if (schema?.["there"] !== true) await migrateEngine(this.#deps);
    await this.#sql.begin(async (transaction) => {
      // Two that make it at once would trip over each other.
      await transaction`SELECT pg_advisory_xact_lock(hashtext('cleveragents hosts'))`;
      await transaction`CREATE TABLE IF NOT EXISTS ${transaction(ENGINE_SCHEMA)}."hosts" (
        "host" text PRIMARY KEY, "directory" text NOT NULL, "seen_at" timestamptz NOT NULL)`;
    });
  }
}
