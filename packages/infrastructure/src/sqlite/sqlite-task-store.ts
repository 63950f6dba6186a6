import type {
  Clock,
  Command,
  Committed,
  FailPoint,
  FeedFilter,
  FeedPage,
  FeedPosition,
  InboxEntry,
  Logger,
  SharedDocument,
  SnapshotOptions,
  TaskHead,
  TaskKind,
  TaskPage,
  TaskQuery,
  TaskRow,
  TaskSnapshot,
  TaskStore,
} from "@cleveragents/application";
import { isTerminal, type JsonObject, type LoggedEvent, type TaskState } from "@cleveragents/domain";
import { assembleArtifact, assembleHistory } from "../schema/assemble.ts";
import { type CommandText, toCommandText } from "../schema/command-text.ts";
import { type Change, decide } from "../schema/decide.ts";
import { notOver } from "../schema/not-over.ts";
import { StoreClosedError } from "../schema/store-closed-error.ts";
import { type StoredTask, toTaskRow } from "../schema/stored-task.ts";
import { type TaskListener, TaskWatchers } from "../schema/task-watchers.ts";
import { GroupWriter } from "./group-writer.ts";
import { SnapshotCache, type SnapshotText } from "./snapshot-cache.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { SqliteTaskFeed } from "./task-feed.ts";
import { TaskGroup } from "./task-group.ts";
import { listTasks } from "./task-list.ts";
import { SqliteTaskLog } from "./task-log.ts";
import { taskReadStatements } from "./task-read-statements.ts";
import { SqliteTaskReads } from "./task-reads.ts";
import { taskRemoveStatements } from "./task-remove-statements.ts";
import { SqliteTaskWrites } from "./task-writes.ts";

/** Tasks in a SQLite file. Commands are grouped (ADR 0011); a commit that has answered is on the disk. */
export class SqliteTaskStore implements TaskStore {
  readonly #connection: SqliteConnection;
  readonly #watchers: TaskWatchers;
  readonly #writer: GroupWriter<CommandText, Change>;
  readonly #log: SqliteTaskLog;
  readonly #feed: SqliteTaskFeed;
  readonly #read: ReturnType<typeof taskReadStatements>;
  readonly #remove: ReturnType<typeof taskRemoveStatements>;
  readonly #snapshots = new SnapshotCache();
  #closed = false;

  constructor(deps: {
    readonly connection: SqliteConnection;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly failPoint?: FailPoint | undefined;
  }) {
    const { connection, clock, logger, failPoint } = deps;
    const group = new TaskGroup();
    const reads = new SqliteTaskReads(connection, group);
    const writes = new SqliteTaskWrites(connection, group);
    this.#connection = connection;
    this.#watchers = new TaskWatchers(logger);
    this.#log = new SqliteTaskLog(connection);
    this.#feed = new SqliteTaskFeed(connection);
    this.#read = taskReadStatements(connection);
    this.#remove = taskRemoveStatements(connection);
    this.#writer = new GroupWriter<CommandText, Change>(
      connection,
      {
        begin: () => group.begin(),
        decide: (command) => decide(command, reads, clock.now()),
        write: (change) => writes.write(change),
        finish: () => writes.finish(),
        committed: (changes) => this.#wake(changes),
      },
      failPoint,
    );
  }

  async commit(command: Command): Promise<Committed> {
    this.#open();
    return (await this.#writer.enqueue(toCommandText(command))).committed;
  }

  async load(taskId: string): Promise<TaskRow | undefined> {
    this.#open();
    const task = this.#snapshots.get(taskId)?.task ?? this.#read.task.get(taskId);
    return task && toTaskRow(task);
  }

  async snapshot(taskId: string, options: SnapshotOptions): Promise<TaskSnapshot | undefined> {
    this.#open();
    const text =
      this.#snapshots.get(taskId) ?? this.#connection.reading(() => this.#snapshotText(taskId, options));
    if (text === undefined) return undefined;
    const { earlier } = options;
    if (earlier !== undefined && isOf(earlier.row, text.task)) return earlier;
    return {
      row: toTaskRow(text.task),
      history: assembleHistory(text.messages, options.historyLength),
      artifacts: options.artifacts
        ? text.artifacts.flatMap(({ chunks }) => assembleArtifact(chunks) ?? [])
        : [],
    };
  }

  async events(taskId: string, after: number, limit = 500): Promise<readonly LoggedEvent[]> {
    this.#open();
    return this.#log.events(taskId, after, limit);
  }

  async feed(after: FeedPosition | "now", filter: FeedFilter, limit?: number): Promise<FeedPage> {
    this.#open();
    return this.#feed.page(after, filter, limit);
  }

  async list(query: TaskQuery): Promise<TaskPage> {
    this.#open();
    return listTasks(this.#connection, this.#read.task, query);
  }

  async inbox(taskId: string): Promise<readonly InboxEntry[]> {
    this.#open();
    return this.#read.inbox
      .all(taskId)
      .map(({ key, body }) => ({ key, body: JSON.parse(body) as JsonObject }));
  }

  async unfinished(kind: TaskKind): Promise<readonly TaskRow[]> {
    this.#open();
    return this.#read.unfinished.all(kind).map(toTaskRow);
  }

  async unfinishedHeads(kind: TaskKind, limit: number, after?: TaskHead): Promise<readonly TaskHead[]> {
    this.#open();
    const heads = this.#read.heads.all(kind, after?.createdAt ?? -1, after?.taskId ?? "", limit);
    return heads.map((head) => ({ ...head, mail: head.mail === 1 }));
  }

  async count(kind: TaskKind, states: readonly TaskState[]): Promise<number> {
    this.#open();
    const counts = this.#read.count.all(kind).filter(({ state }) => states.includes(state));
    return counts.reduce((sum, { tasks }) => sum + tasks, 0);
  }

  async taskOfMessage(principal: string, messageId: string): Promise<string | undefined> {
    this.#open();
    return this.#read.message.get(principal, messageId)?.taskId;
  }

  /** At once, as everything here: between the transactions of the writer. */
  async remove(taskId: string): Promise<boolean> {
    this.#open();
    const task = this.#read.task.get(taskId);
    if (task === undefined) return false;
    if (!isTerminal(task.state)) throw notOver(taskId, task.state);
    this.#connection.writing(() => {
      this.#remove.task.run(taskId);
      this.#remove.count.run(task.principal, task.kind, task.state);
    });
    this.#snapshots.forget(taskId);
    return true;
  }

  async shared(id: string): Promise<SharedDocument | undefined> {
    this.#open();
    const found = this.#read.shared.get(id);
    return found && { id, revision: found.revision, body: JSON.parse(found.body) as JsonObject };
  }

  watch(taskId: string | undefined, listener: TaskListener): () => void {
    return this.#watchers.add(taskId, listener);
  }

  /** Reads; and after a failed write, writes, since reads may well go on while the disk is full. */
  async check(): Promise<void> {
    this.#open();
    this.#connection.check(this.#writer.failure !== undefined);
  }

  /** Commits what was handed in before, then refuses. The connection is its owner's to close. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#writer.close();
    this.#closed = true;
    this.#watchers.clear();
  }

  /** No more than is asked for, and kept if that is all there is. */
  #snapshotText(taskId: string, { historyLength, artifacts }: SnapshotOptions): SnapshotText | undefined {
    const task = this.#read.task.get(taskId);
    if (task === undefined) return undefined;
    const text = {
      task,
      messages: this.#log.messages(taskId, historyLength),
      artifacts: artifacts ? this.#log.artifacts(taskId) : [],
    };
    if (historyLength === undefined && artifacts) this.#snapshots.keep(text);
    return text;
  }

  #open(): void {
    if (this.#closed) throw new StoreClosedError();
  }

  /** Once per task, however many of the group's commands were its own. */
  #wake(changes: readonly Change[]): void {
    const reached = new Map<string, number>();
    for (const change of changes) {
      if (!change.changed) continue;
      this.#snapshots.follow(change);
      reached.set(change.after.taskId, change.after.lastSeq);
    }
    for (const [taskId, lastSeq] of reached) this.#watchers.wake(taskId, lastSeq);
  }
}

/** Whether nothing of the task was changed since. */
function isOf(row: TaskRow, task: StoredTask): boolean {
  return row.taskId === task.taskId && row.revision === task.revision && row.createdAt === task.createdAt;
}
