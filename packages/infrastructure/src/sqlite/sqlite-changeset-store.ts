import type { ChangesetStore, Clock, StoredChangeset } from "@cleveragents/application";
import type { Changeset } from "@cleveragents/domain";
import type { SqliteConnection } from "./sqlite-connection.ts";

/** Changesets in a SQLite file. */
export class SqliteChangesetStore implements ChangesetStore {
  readonly #connection: SqliteConnection;
  readonly #clock: Clock;

  constructor(deps: { readonly connection: SqliteConnection; readonly clock: Clock }) {
    this.#connection = deps.connection;
    this.#clock = deps.clock;
  }

  async put({ digest, changeset, patch }: StoredChangeset): Promise<void> {
    await this.#connection.queries
      .insertInto("changesets")
      .values({ digest, changeset: JSON.stringify(changeset), patch, stored_at: this.#clock.now() })
      .onConflict((oc) => oc.column("digest").doNothing())
      .execute();
  }

  async get(digest: string): Promise<StoredChangeset | undefined> {
    const row = await this.#connection.queries
      .selectFrom("changesets")
      .selectAll()
      .where("digest", "=", digest)
      .executeTakeFirst();
    return row && { digest: row.digest, changeset: JSON.parse(row.changeset) as Changeset, patch: row.patch };
  }
}
