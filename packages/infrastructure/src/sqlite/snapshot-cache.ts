import type { Change } from "../schema/decide.ts";
import type { StoredTaskWithDocument } from "../schema/stored-task.ts";

/** All that a task's snapshot is made of, as text: whatever is made of it is the caller's own. */
export interface SnapshotText {
  readonly task: StoredTaskWithDocument;
  /** Bodies of the events that have messages, oldest first. */
  readonly messages: readonly string[];
  /** In order of first appearance, with the bodies of each one's chunks. */
  readonly artifacts: readonly ArtifactText[];
}
export interface ArtifactText {
  readonly artifactId: string;
  readonly chunks: readonly string[];
}

interface Kept extends SnapshotText {
  readonly length: number;
}

/** Characters of one that is worth keeping, and how many are kept. */
const LONGEST = 16 * 1024;
const KEPT = 512;

/**
 * The small snapshots that were asked for or written last: whoever polls a task reads the same again and again, and
 * whoever waits for one reads what was just written. Right for as long as everything that is committed is told with
 * `follow`; nobody but the store writes its file.
 */
export class SnapshotCache {
  readonly #kept = new Map<string, Kept>();

  get(taskId: string): SnapshotText | undefined {
    const found = this.#kept.get(taskId);
    if (found === undefined) return undefined;
    this.#kept.delete(taskId);
    this.#kept.set(taskId, found);
    return found;
  }

  keep(text: SnapshotText): void {
    this.#keep({ ...text, length: lengthOf(text) });
  }

  /** A task that is removed. */
  forget(taskId: string): void {
    this.#kept.delete(taskId);
  }

  /** A change that is committed, told in the order of the commits: of a task that is made, or is kept, the rest follows. */
  follow(change: Change): void {
    const { before, after, events, document } = change;
    const known = before === undefined ? NOTHING : this.#kept.get(after.taskId);
    if (known === undefined) return;
    this.#kept.delete(after.taskId);
    // Something between was not told: then it is read again.
    if (before !== undefined && known.task?.revision !== before.revision) return;
    const messages = [...known.messages, ...events.flatMap(({ messages: n, body }) => (n > 0 ? [body] : []))];
    const task = { ...after, document: document ?? known.task?.document ?? null };
    const grown = events.reduce((sum, { body }) => sum + body.length, known.length);
    // Too long for what it had before is dropped: what is replaced is counted until it is read anew.
    const length = grown + (document?.length ?? 0) + (after.statusMessage?.length ?? 0);
    if (length <= LONGEST)
      this.#keep({ task, messages, artifacts: withChunks(known.artifacts, events), length });
  }

  #keep(text: Kept): void {
    if (text.length > LONGEST) return;
    this.#kept.set(text.task.taskId, text);
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value ?? "");
  }
}

const NOTHING = { task: undefined, messages: [], artifacts: [], length: 0 } as const;

function withChunks(artifacts: readonly ArtifactText[], events: Change["events"]): readonly ArtifactText[] {
  if (events.every(({ artifactId }) => artifactId === null)) return artifacts;
  const byId = new Map(artifacts.map(({ artifactId, chunks }) => [artifactId, [...chunks]]));
  for (const { artifactId, replaces, body } of events) {
    if (artifactId === null) continue;
    const chunks = byId.get(artifactId);
    if (chunks === undefined || replaces) byId.set(artifactId, [body]);
    else chunks.push(body);
  }
  return [...byId].map(([artifactId, chunks]) => ({ artifactId, chunks }));
}

function lengthOf({ task, messages, artifacts }: SnapshotText): number {
  const bodies = [
    task.document ?? "",
    task.statusMessage ?? "",
    ...messages,
    ...artifacts.flatMap(({ chunks }) => chunks),
  ];
  return bodies.reduce((sum, body) => sum + body.length, 0);
}
