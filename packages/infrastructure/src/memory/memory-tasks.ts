import type { Change, TaskReads } from "../schema/decide.ts";
import type { StoredTask } from "../schema/stored-task.ts";

interface EventRecord {
  readonly seq: number;
  readonly key: string;
  readonly at: number;
  readonly body: string;
  readonly messages: number;
}

export interface TaskRecord {
  task: StoredTask;
  document: string | null;
  readonly events: EventRecord[];
  readonly keys: Set<string>;
  /** Bodies since the newest that replaces, by artifact, in order of first appearance. */
  readonly artifacts: Map<string, string[]>;
  readonly inbox: Map<string, { readonly body: string; readonly taken: boolean }>;
}

/** The tables of the in-memory store. */
export class MemoryTasks implements TaskReads {
  readonly records = new Map<string, TaskRecord>();
  /** Every event in the order of the commits: whose, and which. */
  readonly order: { readonly taskId: string; readonly seq: number }[] = [];
  readonly #claims = new Map<string, string>();
  readonly shared = new Map<string, { readonly revision: number; readonly body: string }>();

  task(taskId: string): StoredTask | undefined {
    return this.records.get(taskId)?.task;
  }
  isLogged(taskId: string, eventKey: string): boolean {
    return this.records.get(taskId)?.keys.has(eventKey) ?? false;
  }
  isDocument(taskId: string, text: string): boolean {
    return this.records.get(taskId)?.document === text;
  }
  inboxEntry(taskId: string, key: string): { readonly body: string; readonly taken: boolean } | undefined {
    return this.records.get(taskId)?.inbox.get(key);
  }
  taskOfMessage(principal: string, messageId: string): string | undefined {
    return this.#claims.get(claimKey(principal, messageId));
  }
  sharedRevision(id: string): number {
    return this.shared.get(id)?.revision ?? 0;
  }

  write({ after, at, events, document, added, taken, claim, shared }: Change): void {
    const record: TaskRecord = this.records.get(after.taskId) ?? {
      task: after,
      document: null,
      events: [],
      keys: new Set(),
      artifacts: new Map(),
      inbox: new Map(),
    };
    this.records.set(after.taskId, record);
    record.task = after;
    if (document !== undefined) record.document = document;
    for (const { seq, key, body, messages, artifactId, replaces } of events) {
      record.events.push({ seq, key, at, body, messages });
      this.order.push({ taskId: after.taskId, seq });
      record.keys.add(key);
      if (artifactId === null) continue;
      const bodies = record.artifacts.get(artifactId);
      // Setting a key again keeps its place: the order is that of first appearance.
      if (bodies === undefined || replaces) record.artifacts.set(artifactId, [body]);
      else bodies.push(body);
    }
    for (const { key, body } of added) record.inbox.set(key, { body, taken: false });
    for (const key of taken)
      record.inbox.set(key, { body: record.inbox.get(key)?.body ?? "{}", taken: true });
    for (const { id, expect, body } of shared) this.shared.set(id, { revision: expect + 1, body });
    if (claim !== undefined) this.#claims.set(claimKey(claim.principal, claim.messageId), after.taskId);
  }

  /** Its places in the order of all events stay, so that other events keep theirs. */
  remove(taskId: string): void {
    this.records.delete(taskId);
    for (const [key, claimedBy] of this.#claims) if (claimedBy === taskId) this.#claims.delete(key);
  }
}

/** Two strings as one, so that no other two give the same. */
function claimKey(principal: string, messageId: string): string {
  return JSON.stringify([principal, messageId]);
}
