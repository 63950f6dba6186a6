import type { Changeset } from "@cleveragents/domain";

export interface StoredChangeset {
  readonly digest: string;
  readonly changeset: Changeset;
  /** Unified diff with binary patches, as `git apply` takes it. */
  readonly patch: string;
}

/** Changesets by digest, kept beyond the life of the sandbox that they came from. */
export interface ChangesetStore {
  /** Idempotent: the same digest is the same content. */
  put(entry: StoredChangeset): Promise<void>;
  get(digest: string): Promise<StoredChangeset | undefined>;
}
