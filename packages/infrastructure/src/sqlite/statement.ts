import type { SQLInputValue, StatementSync } from "node:sqlite";
import { fromColumnText, toColumnText } from "../schema/column-text.ts";
import { failureOf } from "./check-request.ts";

type Parameter = SQLInputValue | boolean | undefined;

/** A prepared statement whose failures are ours, and whose strings survive whatever they hold. */
export class Statement<Row = unknown> {
  /** Whether it gives rows. */
  readonly reader: boolean;
  readonly #statement: StatementSync;
  readonly #columns: readonly string[];
  readonly #path: string;

  constructor(statement: StatementSync, path: string) {
    this.#statement = statement;
    this.#path = path;
    this.#columns = statement.columns().map(({ name }) => name);
    this.reader = this.#columns.length > 0;
    // Arrays, made into objects here, cost less than the objects that SQLite's binding makes.
    statement.setReturnArrays(true);
  }

  get(...parameters: readonly Parameter[]): Row | undefined {
    try {
      const values = this.#statement.get(...bound(parameters));
      return values === undefined ? undefined : this.#row(values);
    } catch (error) {
      throw failureOf(error, this.#path);
    }
  }

  all(...parameters: readonly Parameter[]): Row[] {
    try {
      return this.#statement.all(...bound(parameters)).map((values) => this.#row(values));
    } catch (error) {
      throw failureOf(error, this.#path);
    }
  }

  /** Answers how many rows it changed. */
  run(...parameters: readonly Parameter[]): number {
    try {
      return Number(this.#statement.run(...bound(parameters)).changes);
    } catch (error) {
      throw failureOf(error, this.#path);
    }
  }

  #row(values: unknown): Row {
    // The binding's types do not know that it gives arrays.
    const all = values as readonly unknown[];
    const row: Record<string, unknown> = {};
    this.#columns.forEach((column, i) => {
      const value = all[i];
      row[column] = typeof value === "string" ? fromColumnText(value) : value;
    });
    return row as Row;
  }
}

function bound(parameters: readonly Parameter[]): SQLInputValue[] {
  return parameters.map((value) => {
    if (typeof value === "string") return toColumnText(value);
    if (typeof value === "boolean") return value ? 1 : 0;
    return value ?? null;
  });
}
