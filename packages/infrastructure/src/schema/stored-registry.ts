import { isDeepStrictEqual } from "node:util";
import type { RegistryEntry, RegistryStore } from "@cleveragents/application";
import {
  EntryChangedError,
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

  async replace(entry: RegistryEntry, seen?: Pick<RegistryEntry, "document">): Promise<void> {
    const { kind, name, ...columns } = toColumns(entry);
    const update = this.#database.queries
      .updateTable("registry_entries")
      .set(columns)
      .where("kind", "=", kind)
      .where("name", "=", name);
    const { changed, repeated } = await this.#database.change(
      seen === undefined ? update : update.where("document", "=", JSON.stringify(seen.document)),
    );
    if (changed > 0) return;
    // Repeated after a lost answer: it may be this very change that is there.
    if (repeated && isDeepStrictEqual(await this.find(kind, name), entry)) return;
    throw await this.#missed(kind, name);
  }

  async remove(kind: RegistryKind, name: string, seen?: Pick<RegistryEntry, "document">): Promise<void> {
    const deletion = this.#database.queries
      .deleteFrom("registry_entries")
      .where("kind", "=", kind)
      .where("name", "=", name);
    const { changed, repeated } = await this.#database.change(
      seen === undefined ? deletion : deletion.where("document", "=", JSON.stringify(seen.document)),
    );
    if (changed > 0 || (repeated && (await this.find(kind, name)) === undefined)) return;
    throw await this.#missed(kind, name);
  }

  /** Why nothing was changed. */
  async #missed(kind: RegistryKind, name: string): Promise<Error> {
    return (await this.find(kind, name)) === undefined
      ? new EntryNotFoundError(kind, name, await this.#names(kind))
      : new EntryChangedError(kind, name);
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
