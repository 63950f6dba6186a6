import type { TaskSnapshot } from "../ports/task-store.ts";

/** How many tasks are remembered, and characters of one that is worth it. */
const KEPT = 256;
const LONGEST = 16 * 1024;

/**
 * Tasks that are asked for again and again: who polls one is given the same snapshot until something of it changes, so
 * that what is made of it is made once. The snapshots are nobody's to change.
 */
export class PolledSnapshots {
  /** By task, the last asked for last; undefined for what was asked for once, or is long. */
  readonly #snapshots = new Map<string, TaskSnapshot | undefined>();

  /** What was kept of an earlier answer; the store may give it back. */
  earlier(taskId: string): TaskSnapshot | undefined {
    return this.#snapshots.get(taskId);
  }

  keep(snapshot: TaskSnapshot): void {
    const { taskId } = snapshot.row;
    const again = this.#snapshots.has(taskId);
    const kept = this.#snapshots.get(taskId);
    this.#snapshots.delete(taskId);
    this.#snapshots.set(taskId, snapshot === kept || (again && isShort(snapshot)) ? snapshot : undefined);
    if (this.#snapshots.size > KEPT) this.#snapshots.delete(this.#snapshots.keys().next().value ?? "");
  }
}

function isShort(snapshot: TaskSnapshot): boolean {
  return JSON.stringify(snapshot).length <= LONGEST;
}
