import { BTreeReader } from "./b-tree.ts";
import { PageSource } from "./page-source.ts";
import type { Value } from "./record.ts";

interface Tree {
  readonly type: "table" | "index";
  readonly name: string;
  readonly table: string;
  readonly root: number;
}

/** What can still be read of a database file. The file is not changed. */
export class DamagedDatabase implements Disposable {
  /** Tables and indexes that the file's own description names; none where that is gone. */
  readonly trees: readonly Tree[];
  readonly #pages: PageSource;
  readonly #reader: BTreeReader;

  constructor(path: string) {
    this.#pages = new PageSource(path);
    this.#reader = new BTreeReader(this.#pages);
    this.trees = [...this.#reader.records(1)].flatMap(toTree);
  }

  /** Pages and rows that made no sense so far. */
  get damaged(): number {
    return this.#reader.damaged;
  }

  /** Names of the migrations that the file has had; empty where they cannot be read. */
  migrations(): readonly string[] {
    return [...this.rows("kysely_migration")].flatMap(([name]) => (typeof name === "string" ? [name] : []));
  }

  /** Rows of a table, columns in the order of its definition. */
  *rows(table: string): Generator<Value[]> {
    const tree = this.trees.find(({ type, name }) => type === "table" && name === table);
    if (tree !== undefined) yield* this.#reader.records(tree.root);
  }

  /** Entries of an index: its columns in order. */
  *index(name: string): Generator<Value[]> {
    const tree = this.trees.find((candidate) => candidate.type === "index" && candidate.name === name);
    if (tree !== undefined) for (const record of this.#reader.records(tree.root)) yield record.slice(0, -1);
  }

  /** Rows that belong to some table, by pages that nothing leads to any more. After everything else was read. */
  *strays(): Generator<Value[]> {
    this.#reader.claimFree();
    yield* this.#reader.strays();
  }

  [Symbol.dispose](): void {
    this.#pages[Symbol.dispose]();
  }
}

function toTree([type, name, table, root]: Value[]): Tree[] {
  if ((type !== "table" && type !== "index") || typeof name !== "string" || typeof table !== "string")
    return [];
  return typeof root === "number" && root > 1 ? [{ type, name, table, root }] : [];
}
