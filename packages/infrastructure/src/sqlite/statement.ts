import type { SQLInputValue, StatementSync } from "node:sqlite";
import { fromColumnText, toColumnText } from "../schema/column-text.ts";
import { failureOf } from "./check-request.ts";

type Parameter = SQLInputValue | boolean | undefined;

/** A statement, prepared when it is first needed, whose failures are ours, and whose strings survive whatever they hold. */
export class Statement<Row = unknown> {
  readonly #prepare: () => StatementSync;
  readonly #path: string;
  #prepared: { readonly statement: StatementSync; readonly columns: readonly string[] } | undefined;

  constructor(prepare: () => StatementSync, path: string) {
    this.#prepare = prepare;
    this.#path = path;
  }

  /** Whether it gives rows. */
  get reader(): boolean {
    return this.#ready().columns.length > 0;
  }

  get(...parameters: readonly Parameter[]): Row | undefined {
    try {
      const { statement, columns } = this.#ready();
      const values = statement.get(...bound(parameters));
      return values === undefined ? undefined : toRow<Row>(columns, values);
    } catch (error) {
      throw failureOf(error, this.#path);
    }
  }

  all(...parameters: readonly Parameter[]): Row[] {
    try {
      const { statement, columns } = this.#ready();
      return statement.all(...bound(parameters)).map((values) => toRow<Row>(columns, values));
    } catch (error) {
      throw failureOf(error, this.#path);
    }
  }

  /** Answers how many rows it changed. */
  run(...parameters: readonly Parameter[]): number {
    try {
      return Number(this.#ready().statement.run(...bound(parameters)).changes);
    } catch (error) {
      throw failureOf(error, this.#path);
    }
  }

  #ready() {
    if (this.#prepared === undefined) {
      const statement = this.#prepare();
      // Arrays, made into objects here, cost less than the objects that SQLite's binding makes.
      statement.setReturnArrays(true);
      this.#prepared = { statement, columns: statement.columns().map(({ name }) => name) };
    }
    return this.#prepared;
  }
}

function toRow<Row>(columns: readonly string[], values: unknown): Row {
  // The binding's types do not know that it gives arrays.
  const all = values as readonly unknown[];
  const row: Record<string, unknown> = {};
  columns.forEach((column, i) => {
    const value = all[i];
    row[column] = typeof value === "string" ? fromColumnText(value) : value;
  });
  return row as Row;
}

function bound(parameters: readonly Parameter[]): SQLInputValue[] {
  return parameters.map((value) => {
    if (typeof value === "string") return toColumnText(value);
    if (typeof value === "boolean") return value ? 1 : 0;
    return value ?? null;
  });
}
