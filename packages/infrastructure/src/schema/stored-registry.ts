import { isDeepStrictEqual } from "node:util";
import type { RegistryEntry, RegistryStore } from "@cleveragents/application";
import {
  EntryExistsError,
  EntryNotFoundError,
  type JsonObject,
  type RegistryKind,
} from "@cleveragents/domain";
import type { StoreQueries } from "./store-queries.ts";
import type { RegistryEntriesTable } from "./tables.ts";

/** Named documents in a database; each change is a transaction of its own. */
export class StoredRegistry implements RegistryStore {
  readonly #database: StoreQueries;

  constructor(database: StoreQueries) {
    this.#database = database;
  }

  async add(entry: RegistryEntry): Promise<void> {
    const { changed, repeated } = await this.#database.change(
      this.#database.queries
        .insertInto("registry_entries")
        .values(toColumns(entry))
        .onConflict((oc) => oc.columns(["kind", "name"]).doNothing()),
    );
    if (changed > 0) return;
    if (repeated && isDeepStrictEqual(await this.find(entry.kind, entry.name), entry)) return;
    throw new EntryExistsError(entry.kind, entry.name);
  }

  async replace(entry: RegistryEntry): Promise<void> {
    const { kind, name, ...columns } = toColumns(entry);
    const { changed } = await this.#database.change(
      this.#database.queries
        .updateTable("registry_entries")
        .set(columns)
        .where("kind", "=", kind)
        .where("name", "=", name),
    );
    if (changed === 0) throw new EntryNotFoundError(kind, name, await this.#names(kind));
  }

  async remove(kind: RegistryKind, name: string): Promise<void> {
    const { changed, repeated } = await this.#database.change(
      this.#database.queries.deleteFrom("registry_entries").where("kind", "=", kind).where("name", "=", name),
    );
    if (changed === 0 && !repeated) throw new EntryNotFoundError(kind, name, await this.#names(kind));
  }

  async find(kind: RegistryKind, name: string): Promise<RegistryEntry | undefined> {
    const [row] = await this.#database.rows(this.#entries(kind).where("name", "=", name));
    return row && toEntry(row);
  }

  async list(kind: RegistryKind): Promise<readonly RegistryEntry[]> {
    return (await this.#database.rows(this.#entries(kind).orderBy("name"))).map(toEntry);
  }

  #entries(kind: RegistryKind) {
    return this.#database.queries.selectFrom("registry_entries").selectAll().where("kind", "=", kind);
  }

  async #names(kind: RegistryKind): Promise<readonly string[]> {
    const rows = await this.#database.rows(this.#entries(kind).clearSelect().select("name").orderBy("name"));
    return rows.map(({ name }) => name);
  }
}

function toColumns({ kind, name, document, createdAt, updatedAt }: RegistryEntry): RegistryEntriesTable {
  return { kind, name, document: JSON.stringify(document), created_at: createdAt, updated_at: updatedAt };
}

function toEntry({ kind, name, document, created_at, updated_at }: RegistryEntriesTable): RegistryEntry {
  return {
    kind,
    name,
    document: JSON.parse(document) as JsonObject,
    createdAt: created_at,
    updatedAt: updated_at,
  };
}
