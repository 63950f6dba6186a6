import type { Artifact, JsonObject, LoggedEvent, Message, TaskEvent, TaskState } from "@cleveragents/domain";

export type TaskKind = "plan" | "message";

/** A task as its log leaves it: a projection, kept in step with the log by the same commit. */
export interface TaskRow {
  readonly taskId: string;
  readonly contextId: string;
  readonly principal: string;
  readonly kind: TaskKind;
  readonly state: TaskState;
  /** Message of the newest status event, if it had one. */
  readonly statusMessage: Message | null;
  /** When the newest status event was logged; milliseconds, like every time here. */
  readonly statusAt: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Sequence of the newest event; 0 before the first. */
  readonly lastSeq: number;
  /** Who may write: a worker's commits carry the epoch it was started with. */
  readonly epoch: number;
  /** Grows by one with each commit that changes anything. */
  readonly revision: number;
  /** The engine run that has claimed this epoch. */
  readonly runId: string | null;
  readonly referenceTaskIds: readonly string[];
  /** What the kind keeps beside its log (a plan's document). */
  readonly document: JsonObject | null;
}

export interface NewTask {
  readonly contextId: string;
  readonly principal: string;
  readonly kind: TaskKind;
  readonly referenceTaskIds?: readonly string[];
}

/** Everything named must hold when the command is carried out, else {@link FencedError} of the domain. */
export interface Expectation {
  readonly epoch?: number;
  readonly revision?: number;
  readonly states?: readonly TaskState[];
  readonly runId?: string | null;
}

/** Something a running plan will look at: an answer, guidance. Keys are unique per task, taken or not. */
export interface InboxEntry {
  readonly key: string;
  readonly body: JsonObject;
}

/**
 * One change of one task, whole or not at all: the projection, its events, its document and its inbox.
 * In order: the task is created (or found), expectations are checked, events whose key is already logged are left
 * out, the others get the next sequence numbers, the projection follows.
 */
export interface Command {
  readonly taskId: string;
  /** Makes the task (state `submitted`, epoch 1) if this id is unknown; if it is known, `TaskExistsError`. */
  readonly create?: NewTask;
  readonly expect?: Expectation;
  readonly events?: readonly { readonly key: string; readonly event: TaskEvent }[];
  /** Replaces the document. */
  readonly document?: JsonObject;
  /** Ends the present epoch: whoever works under it can commit nothing more. */
  readonly bumpEpoch?: boolean;
  readonly runId?: string | null;
  readonly inbox?: {
    /** A key that is already there with another body is `InboxConflictError`; with the same body it is left as it is. */
    readonly add?: readonly InboxEntry[];
    /** Keys that were read and need not be shown again. */
    readonly take?: readonly string[];
  };
  /** Small documents of several tasks that change with this one, or the whole command does not take effect. */
  readonly shared?: readonly SharedWrite[];
  /** Claims (principal, messageId) for this task; `MessageSeenError` names the task that has it already. */
  readonly claimMessage?: { readonly principal: string; readonly messageId: string };
}

/** A small document that commands of several tasks change. */
export interface SharedDocument {
  readonly id: string;
  /** Grows by one with each command that writes it. */
  readonly revision: number;
  readonly body: JsonObject;
}

export interface SharedWrite {
  readonly id: string;
  /** The revision that it was read with, 0 where it is not there yet; any other now is `SharedMovedError`. */
  readonly expect: number;
  readonly body: JsonObject;
}

export interface Committed {
  readonly lastSeq: number;
  readonly epoch: number;
  readonly revision: number;
  /** How many of the command's events were new. */
  readonly appended: number;
}

export interface TaskQuery {
  readonly principal: string;
  readonly kind?: TaskKind;
  readonly contextId?: string;
  readonly states?: readonly TaskState[];
  /** Tasks whose status changed at or after this time. */
  readonly statusSince?: number;
  readonly limit: number;
  /** What the previous page gave as `next`. */
  readonly cursor?: TaskCursor;
}
export interface TaskCursor {
  readonly statusAt: number;
  readonly taskId: string;
}
export interface TaskPage {
  /** Newest status first, then by task id, descending. */
  readonly rows: readonly TaskRow[];
  readonly next?: TaskCursor;
  /** How many tasks the query matches without its cursor. */
  readonly total: number;
}

export interface SnapshotOptions {
  /** The newest n messages, oldest first; all when absent; none for 0. */
  readonly historyLength?: number;
  readonly artifacts: boolean;
  /** An earlier answer to the same question: it may be the answer again if nothing of the task was changed since. */
  readonly earlier?: TaskSnapshot | undefined;
}
export interface TaskSnapshot {
  readonly row: TaskRow;
  readonly history: readonly Message[];
  /** In order of first appearance, chunks put together. */
  readonly artifacts: readonly Artifact[];
}

/** What is needed to look after a task that is not over; its document and messages are not read. */
export interface TaskHead extends Pick<TaskRow, "taskId" | "state" | "createdAt" | "epoch" | "runId"> {
  /** Whether its inbox has an entry that nobody has taken. */
  readonly mail: boolean;
}

/** A place in the order of all events of a store. Who was given one hands it back as it is. */
export interface FeedPosition {
  /** The store's own number. */
  readonly at: number;
  /** The event that stands there, so that its place is found again if the numbers have changed; empty for none. */
  readonly taskId: string;
  readonly seq: number;
}

export interface FedEvent {
  readonly position: FeedPosition;
  readonly contextId: string;
  readonly logged: LoggedEvent;
}

export interface FeedFilter {
  /** Whose tasks; null for everybody's, which is nobody's to ask for from outside. */
  readonly principal: string | null;
  readonly contextId?: string;
}

export interface FeedPage {
  readonly events: readonly FedEvent[];
  /** Where to go on; also past events that the filter has left out, so it may name a task of somebody else's. */
  readonly next: FeedPosition;
  /** `more`: go on at once. `soon`: something is there that is not settled yet. `nothing`: wait for a wake-up. */
  readonly ahead: "more" | "soon" | "nothing";
}

export class TaskExistsError extends Error {
  override readonly name = "TaskExistsError";
  readonly taskId: string;
  constructor(taskId: string) {
    super(`task ${taskId} exists`);
    this.taskId = taskId;
  }
}
export class MessageSeenError extends Error {
  override readonly name = "MessageSeenError";
  readonly messageId: string;
  readonly taskId: string;
  constructor(messageId: string, taskId: string) {
    super(`message ${messageId} belongs to task ${taskId}`);
    this.messageId = messageId;
    this.taskId = taskId;
  }
}
/** Another command has written a shared document since it was read. */
export class SharedMovedError extends Error {
  override readonly name = "SharedMovedError";
  readonly id: string;
  constructor(id: string) {
    super(`${id} has been written by another command`);
    this.id = id;
  }
}
export class InboxConflictError extends Error {
  override readonly name = "InboxConflictError";
  readonly taskId: string;
  readonly entry: InboxEntry;
  constructor(taskId: string, entry: InboxEntry) {
    super(`task ${taskId} already has ${entry.key}`);
    this.taskId = taskId;
    this.entry = entry;
  }
}

/**
 * Tasks and their logs. What `commit` has answered is durable and is seen by every later read. Commits of one task
 * take effect in the order in which they were called; a command that fails changes nothing and does not fail those
 * that were grouped with it. Once a task is terminal, events are refused with the domain's `TaskStateError`; an
 * unknown task is its `TaskNotFoundError`; a failed expectation its `FencedError`.
 */
export interface TaskStore {
  commit(command: Command): Promise<Committed>;
  load(taskId: string): Promise<TaskRow | undefined>;
  /** Row, history and artifacts as of one moment: all of `row.lastSeq` and nothing after it. */
  snapshot(taskId: string, options: SnapshotOptions): Promise<TaskSnapshot | undefined>;
  /** Events after a sequence, in order, at most `limit` (default 500) and about 1 MiB, but at least one if there is one. */
  events(taskId: string, after: number, limit?: number): Promise<readonly LoggedEvent[]>;
  /**
   * Events of many tasks after a position, each once, those of one task in the order of their sequence; nothing that is
   * committed later ever comes before a position that was given out. It looks at no more than `limit` (default 200)
   * events, whoever's they are. "now" gives no events, and a position that names no task.
   */
  feed(after: FeedPosition | "now", filter: FeedFilter, limit?: number): Promise<FeedPage>;
  list(query: TaskQuery): Promise<TaskPage>;
  /** Entries not yet taken, in the order in which they were added. */
  inbox(taskId: string): Promise<readonly InboxEntry[]>;
  /** Every task of a kind that is not terminal, oldest first. */
  unfinished(kind: TaskKind): Promise<readonly TaskRow[]>;
  /** Of the same tasks, in the same order, at most `limit` of those after `after`: without their documents. */
  unfinishedHeads(kind: TaskKind, limit: number, after?: TaskHead): Promise<readonly TaskHead[]>;
  /** How many tasks of a kind are in one of these states, whoever owns them. Costs the same however many there are. */
  count(kind: TaskKind, states: readonly TaskState[]): Promise<number>;
  taskOfMessage(principal: string, messageId: string): Promise<string | undefined>;
  /** A document that tasks share; undefined before the first command that writes it. */
  shared(id: string): Promise<SharedDocument | undefined>;
  /**
   * Takes a task that is over out of the store, with its log and all that hangs on it; its ids are free again. False for
   * one that is not there; `TaskStateError` for one that is not over.
   */
  remove(taskId: string): Promise<boolean>;
  /**
   * Wakes the listener after a commit is durable, with the sequence it reached. Wake-ups may be joined or lost, never
   * early: followers read the log and poll besides. `taskId` undefined listens to all tasks. Returns the way to stop.
   */
  watch(taskId: string | undefined, listener: (taskId: string, lastSeq: number) => void): () => void;
  /** A cheap question that fails when the store cannot serve. */
  check(): Promise<void>;
  close(): Promise<void>;
}
