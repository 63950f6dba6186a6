import type { ChangesetStore, StoredChangeset } from "@cleveragents/application";

/** Changesets of one process, gone with it. */
export class InMemoryChangesetStore implements ChangesetStore {
  readonly #entries = new Map<string, string>();

  async put(entry: StoredChangeset): Promise<void> {
    if (!this.#entries.has(entry.digest)) this.#entries.set(entry.digest, JSON.stringify(entry));
  }

  async get(digest: string): Promise<StoredChangeset | undefined> {
    const text = this.#entries.get(digest);
    return text === undefined ? undefined : (JSON.parse(text) as StoredChangeset);
  }
}
