import { TASK_STATES } from "@cleveragents/domain";
import type { SqliteConnection } from "../sqlite-connection.ts";
import type { Value } from "./record.ts";

interface Column {
  readonly name: string;
  readonly integer: boolean;
  readonly nullable: boolean;
}

/** Columns that hold JSON: damage inside a text shows there. */
export const JSON_COLUMNS = new Set([
  "body",
  "document",
  "changeset",
  "status_message",
  "reference_task_ids",
]);
const STATES: ReadonlySet<unknown> = new Set(TASK_STATES);

/** What a table's rows look like: enough to tell them from damage, and from the rows of another table. */
export class RowShape {
  readonly table: string;
  readonly columns: readonly Column[];
  /** Columns of the primary key, in its order: what its index tells of a row that is lost. */
  readonly key: readonly string[];

  constructor(connection: SqliteConnection, table: string) {
    this.table = table;
    const columns = connection
      .statement<{ name: string; type: string; notnull: number; pk: number }>(
        `select name, type, "notnull", pk from pragma_table_info(?)`,
      )
      .all(table);
    this.columns = columns.map(({ name, type, notnull, pk }) => ({
      name,
      integer: /int/i.test(type),
      nullable: notnull === 0 && pk === 0,
    }));
    this.key = columns
      .filter(({ pk }) => pk > 0)
      .sort((a, b) => a.pk - b.pk)
      .map(({ name }) => name);
  }

  /** `exact`: a row that was found without its table has all columns; one of an older version may lack the last. */
  fits(row: readonly Value[], { exact }: { readonly exact: boolean }): boolean {
    if (row.length > this.columns.length || (exact && row.length < this.columns.length)) return false;
    return this.columns.every(({ name, integer, nullable }, i) => {
      const value = row[i] ?? null;
      if (value === null) return nullable;
      if (integer) return typeof value === "bigint" || Number.isSafeInteger(value);
      return typeof value === "string" && (!JSON_COLUMNS.has(name) || isJson(value)) && isKnown(name, value);
    });
  }

  value(row: readonly Value[], column: string): Value {
    return row[this.columns.findIndex(({ name }) => name === column)] ?? null;
  }
}

function isKnown(column: string, value: string): boolean {
  return column !== "state" || STATES.has(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
