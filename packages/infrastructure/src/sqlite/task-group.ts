import type { Change } from "../schema/decide.ts";
import type { StoredTask } from "../schema/stored-task.ts";

export interface GroupedTask {
  /** What its row holds: for a task that the group makes, what it was made with. */
  readonly stored: StoredTask;
  /** As the commands of the group leave it. */
  newest: StoredTask;
  /** What the counts know of it: undefined for a task that the group makes. */
  readonly counted: StoredTask | undefined;
}

/**
 * Tasks as the open transaction has them so far. A row that twenty commands of a group change is read once and
 * written once, at the end.
 */
export class TaskGroup {
  readonly #tasks = new Map<string, GroupedTask>();
  readonly #artifacts = new Map<string, Set<string>>();

  begin(): void {
    this.#tasks.clear();
    this.#artifacts.clear();
  }

  /** Whether a command of this group has begun or continued the artifact, so that its row is there. */
  hasArtifact(taskId: string, artifactId: string): boolean {
    return this.#artifacts.get(taskId)?.has(artifactId) ?? false;
  }

  newest(taskId: string): StoredTask | undefined {
    return this.#tasks.get(taskId)?.newest;
  }

  /** Told last, when nothing of the command can fail any more: a command that fails leaves no trace here. */
  keep({ before, after, events }: Pick<Change, "before" | "after" | "events">): void {
    for (const { artifactId } of events)
      if (artifactId !== null) this.#keepArtifact(after.taskId, artifactId);
    const task = this.#tasks.get(after.taskId);
    if (task !== undefined) task.newest = after;
    else this.#tasks.set(after.taskId, { stored: before ?? after, newest: after, counted: before });
  }

  all(): Iterable<GroupedTask> {
    return this.#tasks.values();
  }

  #keepArtifact(taskId: string, artifactId: string): void {
    const artifacts = this.#artifacts.get(taskId);
    if (artifacts !== undefined) artifacts.add(artifactId);
    else this.#artifacts.set(taskId, new Set([artifactId]));
  }
}
