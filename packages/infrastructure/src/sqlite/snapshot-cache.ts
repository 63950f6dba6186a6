import type { StoredTaskWithDocument } from "../schema/stored-task.ts";

/** All that a task's snapshot is made of, as text: whatever is made of it is the caller's own. */
export interface SnapshotText {
  readonly task: StoredTaskWithDocument;
  /** Bodies of the events that have messages, oldest first. */
  readonly messages: readonly string[];
  /** Bodies of each artifact's chunks. */
  readonly artifacts: readonly (readonly string[])[];
}

/** Characters of one that is worth keeping, and how many are kept. */
const LONGEST = 16 * 1024;
const KEPT = 512;

/**
 * The small snapshots that were asked for last: whoever polls a task reads the same again and again. Right for as long
 * as everything that is committed is told to `forget`; nobody but the store writes its file.
 */
export class SnapshotCache {
  readonly #kept = new Map<string, SnapshotText>();

  get(taskId: string): SnapshotText | undefined {
    const found = this.#kept.get(taskId);
    if (found === undefined) return undefined;
    this.#kept.delete(taskId);
    this.#kept.set(taskId, found);
    return found;
  }

  keep(text: SnapshotText): void {
    if (lengthOf(text) > LONGEST) return;
    this.#kept.set(text.task.taskId, text);
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value ?? "");
  }

  forget(taskId: string): void {
    this.#kept.delete(taskId);
  }
}

function lengthOf({ task, messages, artifacts }: SnapshotText): number {
  const bodies = [task.document ?? "", task.statusMessage ?? "", ...messages, ...artifacts.flat()];
  return bodies.reduce((sum, body) => sum + body.length, 0);
}
