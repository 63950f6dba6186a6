import type { TreeDifference } from "./tree-comparison.ts";

/** A plan is compared when it is offered, looked at and applied: between the same two trees. */
const KEPT = 4;
/** Larger ones would hold more memory than the time is worth. */
const LARGEST = 2000;

/** What comparisons have found. Trees never change, so what was found of two of them stays true. */
export class RecentComparisons {
  readonly #found = new Map<string, TreeDifference>();

  get(key: string): TreeDifference | undefined {
    return this.#found.get(key);
  }

  put(key: string, difference: TreeDifference): void {
    if (difference.files.length > LARGEST) return;
    this.#found.delete(key);
    this.#found.set(key, difference);
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= KEPT) break;
      this.#found.delete(oldest);
    }
  }
}
