import type { Change } from "../schema/decide.ts";
import type { StoredTask } from "../schema/stored-task.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { Statement } from "./statement.ts";
import type { TaskGroup } from "./task-group.ts";
import { writeStatements } from "./task-write-statements.ts";

/** Writes down what was decided: `write` for each command, `finish` once before the transaction ends. */
export class SqliteTaskWrites {
  readonly #group: TaskGroup;
  readonly #statements: ReturnType<typeof writeStatements>;

  constructor(connection: SqliteConnection, group: TaskGroup) {
    this.#group = group;
    this.#statements = writeStatements(connection);
  }

  write(change: Change): void {
    if (!change.changed) return;
    const { before, after, document, added, taken, claim, shared, at } = change;
    const { taskId } = after;
    if (before === undefined) this.#insert(after);
    this.#events(change);
    if (document !== undefined) this.#statements.document.run(taskId, document);
    added.forEach(({ key, body }, ordinal) => {
      this.#statements.inboxAdd.run(taskId, key, body, after.revision, ordinal);
    });
    for (const key of taken) this.#statements.inboxTake.run(at, taskId, key);
    for (const { id, expect, body } of shared) this.#statements.shared.run(id, expect + 1, body);
    if (claim !== undefined) this.#statements.claim.run(claim.principal, claim.messageId, taskId);
    this.#group.keep(change);
  }

  /** What is written once per group: the tasks' rows, and the counts that are different now. */
  finish(): void {
    const counts = new Map<string, { readonly of: readonly [string, string, string]; tasks: number }>();
    const count = ({ principal, kind, state }: StoredTask, tasks: number) => {
      const key = JSON.stringify([principal, kind, state]);
      const entry = counts.get(key) ?? { of: [principal, kind, state], tasks: 0 };
      entry.tasks += tasks;
      counts.set(key, entry);
    };
    for (const { stored, newest, counted } of this.#group.all()) {
      if (newest !== stored) this.#update(stored, newest);
      if (counted?.state === newest.state) continue;
      if (counted !== undefined) count(counted, -1);
      count(newest, 1);
    }
    for (const { of, tasks } of counts.values()) if (tasks !== 0) this.#statements.count.run(...of, tasks);
  }

  #insert(task: StoredTask): void {
    const { taskId, contextId, principal, kind, createdAt, referenceTaskIds } = task;
    const identity = [taskId, contextId, principal, kind, createdAt, referenceTaskIds];
    this.#statements.taskInsert.run(...identity, ...statusOf(task), ...progressOf(task));
  }

  /** Naming a column rewrites every index that holds it, and most commands leave the status alone. */
  #update(stored: StoredTask, task: StoredTask): void {
    const { state, statusMessage, statusAt } = stored;
    if (task.state === state && task.statusAt === statusAt && task.statusMessage === statusMessage) {
      this.#statements.taskUpdate.run(...progressOf(task), task.taskId);
    } else {
      this.#statements.statusUpdate.run(...statusOf(task), ...progressOf(task), task.taskId);
    }
  }

  #events({ after: { taskId }, at, events }: Change): void {
    for (const { seq, key, body, artifactId, messages, replaces } of events) {
      this.#statements.event.run(taskId, seq, key, at, body, artifactId, messages);
      if (artifactId === null || (!replaces && this.#group.hasArtifact(taskId, artifactId))) continue;
      const begin: Statement = replaces ? this.#statements.artifactReplace : this.#statements.artifactAppend;
      begin.run(taskId, artifactId, seq, seq);
    }
  }
}

function statusOf({ state, statusMessage, statusAt }: StoredTask) {
  return [state, statusMessage, statusAt] as const;
}

function progressOf({ updatedAt, lastSeq, epoch, revision, runId }: StoredTask) {
  return [updatedAt, lastSeq, epoch, revision, runId] as const;
}
