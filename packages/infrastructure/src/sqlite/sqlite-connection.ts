import { type Stats, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type CompiledQuery, Kysely } from "kysely";
import { StoreClosedError } from "../schema/store-closed-error.ts";
import type { Changed } from "../schema/store-queries.ts";
import type { Tables } from "../schema/tables.ts";
import { failureOf } from "./check-request.ts";
import { DatabaseUnwritableError } from "./database-errors.ts";
import { Statement } from "./statement.ts";
import { TransactionalSqliteDialect } from "./transactional-sqlite-dialect.ts";

/** Queries that are built anew each time have as many texts as there are ways to ask; the oldest give way. */
const STATEMENTS = 256;
const BUSY_TIMEOUT_MS = 5000;

/**
 * The one connection of a process to its database. Everything runs to its end in the call that started it, so that
 * nobody sees the middle of a transaction; statements are prepared once.
 */
export class SqliteConnection {
  readonly path: string;
  /** Builds queries; also executes them, with the same statements. */
  readonly queries: Kysely<Tables>;
  readonly #database: DatabaseSync;
  readonly #file: Stats;
  readonly #statements = new Map<string, Statement>();

  /** Opens the file as it is; only a writable connection sets the journal up. */
  constructor(path: string, options: { readonly readOnly?: boolean } = {}) {
    this.path = path;
    const readOnly = options.readOnly ?? false;
    this.#database = this.#translated(() => new DatabaseSync(path, { readOnly, timeout: BUSY_TIMEOUT_MS }));
    this.#file = statSync(path);
    this.queries = new Kysely<Tables>({
      dialect: new TransactionalSqliteDialect({ database: this.#driver() }),
    });
    if (readOnly) return;
    try {
      // WAL with FULL: what a COMMIT has answered is on the disk (https://sqlite.org/pragma.html#pragma_synchronous).
      this.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on");
      // A burst must not leave a large log file behind for ever. The cache is 16 MiB: indexes of many tasks stay in it.
      this.exec("pragma journal_size_limit = 67108864; pragma cache_size = -16384");
      // What a statement or savepoint may have to undo is otherwise written to a file, in pieces of a page; and a page
      // that many commits change is better copied out of the log once than once per some thirty commits.
      this.exec("pragma temp_store = memory; pragma wal_autocheckpoint = 4000");
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.#database.isOpen;
  }
  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  exec(sql: string): void {
    this.#assertOpen();
    this.#translated(() => this.#database.exec(sql));
  }

  /** The statement of this text, prepared at most once. */
  statement<Row>(sql: string): Statement<Row> {
    this.#assertOpen();
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known as Statement<Row>;
    }
    const statement = this.prepare<Row>(sql);
    this.#statements.set(sql, statement);
    if (this.#statements.size > STATEMENTS)
      this.#statements.delete(this.#statements.keys().next().value ?? "");
    return statement;
  }

  /** A statement of the caller's own, for as long as the connection is open. */
  prepare<Row>(sql: string): Statement<Row> {
    this.#assertOpen();
    const statement = this.#translated(() => this.#database.prepare(sql));
    return new Statement<Row>(() => statement, this.path);
  }

  /**
   * A query of the builder, built, compiled and prepared when it is first called; its parameters are given at each call,
   * in their order.
   */
  compiled<Row>(query: () => { compile(): CompiledQuery<Row> }): Statement<Row> {
    return new Statement<Row>(() => this.#database.prepare(query().compile().sql), this.path);
  }

  /** Rows of a query of the builder, at once. */
  rows<Row>(query: { compile(): CompiledQuery<Row> }): Row[] {
    const { sql, parameters } = query.compile();
    return this.statement<Row>(sql).all(...(parameters as []));
  }

  /** Carries out a change of the builder, at once. */
  change(query: { compile(): CompiledQuery }): Changed {
    const { sql, parameters } = query.compile();
    return { changed: this.statement(sql).run(...(parameters as [])), repeated: false };
  }

  /** Reads that belong together see one moment, whoever else writes the file. */
  reading<T>(read: () => T): T {
    this.statement("begin").run();
    try {
      return read();
    } finally {
      this.statement("commit").run();
    }
  }

  /** Writes that belong together: all of them, or none. */
  writing<T>(write: () => T): T {
    this.statement("begin immediate").run();
    try {
      const done = write();
      this.statement("commit").run();
      return done;
    } catch (error) {
      if (this.inTransaction) this.statement("rollback").run();
      throw error;
    }
  }

  /** Throws if the file is gone or cannot be read; with `write`, also if nothing can be written to it. */
  check(write: boolean): void {
    const { dev, ino } = statSync(this.path, { throwIfNoEntry: false }) ?? {};
    if (ino !== this.#file.ino || dev !== this.#file.dev) {
      throw new DatabaseUnwritableError(this.path, "the file was removed or replaced while it was open");
    }
    this.statement("select name from kysely_migration limit 1").get();
    // Sets a number of the file's header, which nothing reads, to what it is.
    if (write) this.exec("pragma user_version = 0");
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #assertOpen(): void {
    if (!this.#database.isOpen) throw new StoreClosedError();
  }

  #translated<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw failureOf(error, this.path);
    }
  }

  /** What Kysely's SqliteDialect needs of a driver: https://kysely.dev/docs/dialects, made for better-sqlite3. */
  #driver() {
    return {
      close: () => this.close(),
      prepare: (sql: string) => {
        const statement = this.statement<unknown>(sql);
        const all = (parameters: readonly unknown[]) => statement.all(...(parameters as []));
        return {
          reader: statement.reader,
          all,
          iterate: (parameters: readonly unknown[]) => all(parameters).values(),
          run: (parameters: readonly unknown[]) => ({
            changes: statement.run(...(parameters as [])),
            lastInsertRowid: 0,
          }),
        };
      },
    };
  }
}
