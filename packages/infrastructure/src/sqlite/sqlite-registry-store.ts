import type { RegistryEntry, RegistryStore } from "@cleveragents/application";
import {
  EntryExistsError,
  EntryNotFoundError,
  type JsonObject,
  type RegistryKind,
} from "@cleveragents/domain";
import type { RegistryEntriesTable } from "../schema/tables.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

/** Named documents in a SQLite file; each change is a transaction of its own. */
export class SqliteRegistryStore implements RegistryStore {
  readonly #connection: SqliteConnection;

  constructor(deps: { readonly connection: SqliteConnection }) {
    this.#connection = deps.connection;
  }

  async add(entry: RegistryEntry): Promise<void> {
    const { numInsertedOrUpdatedRows } = await this.#connection.queries
      .insertInto("registry_entries")
      .values(toColumns(entry))
      .onConflict((oc) => oc.columns(["kind", "name"]).doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) throw new EntryExistsError(entry.kind, entry.name);
  }

  async replace(entry: RegistryEntry): Promise<void> {
    const { kind, name, ...columns } = toColumns(entry);
    const { numUpdatedRows } = await this.#connection.queries
      .updateTable("registry_entries")
      .set(columns)
      .where("kind", "=", kind)
      .where("name", "=", name)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new EntryNotFoundError(kind, name, await this.#names(kind));
  }

  async find(kind: RegistryKind, name: string): Promise<RegistryEntry | undefined> {
    const row = await this.#entries(kind).where("name", "=", name).executeTakeFirst();
    return row && toEntry(row);
  }

  async list(kind: RegistryKind): Promise<readonly RegistryEntry[]> {
    return (await this.#entries(kind).orderBy("name").execute()).map(toEntry);
  }

  #entries(kind: RegistryKind) {
    return this.#connection.queries.selectFrom("registry_entries").selectAll().where("kind", "=", kind);
  }

  async #names(kind: RegistryKind): Promise<readonly string[]> {
    const rows = await this.#entries(kind).clearSelect().select("name").orderBy("name").execute();
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
