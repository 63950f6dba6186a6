import type { ChangesetStore, Clock, StoredChangeset } from "@cleveragents/application";
import type { Changeset } from "@cleveragents/domain";
import type { StoreQueries } from "./store-queries.ts";

/** Changesets in a database; each is put as a transaction of its own. */
export class StoredChangesets implements ChangesetStore {
  readonly #database: StoreQueries;
  readonly #clock: Clock;

  constructor(database: StoreQueries, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async put({ digest, changeset, patch }: StoredChangeset): Promise<void> {
    await this.#database.change(
      this.#database.queries
        .insertInto("changesets")
        .values({ digest, changeset: JSON.stringify(changeset), patch, stored_at: this.#clock.now() })
        .onConflict((oc) => oc.column("digest").doNothing()),
    );
  }

  async get(digest: string): Promise<StoredChangeset | undefined> {
    const [row] = await this.#database.rows(
      this.#database.queries.selectFrom("changesets").selectAll().where("digest", "=", digest),
    );
    return row && { digest: row.digest, changeset: JSON.parse(row.changeset) as Changeset, patch: row.patch };
  }
}
