import { stat } from "node:fs/promises";

interface IndexFacts {
  /** The tree that the index holds. */
  readonly tree: string;
  /** Files of the base that it does not hold; undefined if nobody has looked. */
  readonly deleted: readonly string[] | undefined;
}

/** What this process has learnt of a sandbox's index, as long as the file is the one that it was learnt of. */
export class KnownIndex {
  #known: (IndexFacts & { readonly identity: string }) | undefined;

  async recall(index: string): Promise<IndexFacts | undefined> {
    if (this.#known === undefined) return undefined;
    return (await identityOf(index)) === this.#known.identity ? this.#known : undefined;
  }

  async remember(index: string, facts: IndexFacts): Promise<void> {
    const identity = await identityOf(index);
    this.#known = identity === undefined ? undefined : { ...facts, identity };
  }
}

async function identityOf(file: string): Promise<string | undefined> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found === undefined ? undefined : `${found.ino} ${found.size} ${found.ctimeNs}`;
}
