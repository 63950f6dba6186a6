import { randomUUID } from "node:crypto";
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
import type { JsonObject, LoggedEvent, TaskEvent, TaskState } from "@cleveragents/domain";
import { assembleArtifact, assembleHistory } from "../schema/assemble.ts";
import { fromColumnText, toColumnText } from "../schema/column-text.ts";
import { toCommandText } from "../schema/command-text.ts";
import { notOver } from "../schema/not-over.ts";
import { StoreClosedError } from "../schema/store-closed-error.ts";
import { type StoredTaskWithDocument, toTaskRow } from "../schema/stored-task.ts";
import { type TaskListener, TaskWatchers } from "../schema/task-watchers.ts";
import { GroupWriter } from "./group-writer.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { PostgresTaskFeed } from "./task-feed.ts";
import { listQuery, taskStatements } from "./task-queries.ts";
import { WakeUpListener } from "./wake-up-listener.ts";
import { WriterLine } from "./writer-line.ts";

const OUTCOMES_KEPT_MS = 24 * 60 * 60 * 1000;

interface Deps {
  readonly connection: PostgresConnection;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failPoint?: FailPoint | undefined;
}

/** Tasks in PostgreSQL, which several processes may write. Commands are grouped (ADR 0013). */
export class PostgresTaskStore implements TaskStore {
  readonly #connection: PostgresConnection;
  readonly #logger: Logger;
  readonly #watchers: TaskWatchers;
  readonly #line: WriterLine;
  readonly #writer: GroupWriter;
  readonly #listener: WakeUpListener;
  readonly #read: ReturnType<typeof taskStatements>;
  readonly #feed: PostgresTaskFeed;
  #closed = false;

  /** Resolves once it hears what other processes commit. */
  static async open(deps: Deps): Promise<PostgresTaskStore> {
    const store = new PostgresTaskStore(deps);
    await store.#listener.open();
    await deps.connection.run({ text: "select settle_events_1()" }, []);
    // What groups came to is of no use to anybody once their writer has asked, or is gone.
    await deps.connection.run({ text: "delete from commit_groups where committed_at < $1" }, [
      deps.clock.now() - OUTCOMES_KEPT_MS,
    ]);
    return store;
  }

  private constructor({ connection, clock, logger, failPoint }: Deps) {
    this.#connection = connection;
    this.#logger = logger;
    this.#watchers = new TaskWatchers(logger);
    this.#read = taskStatements(connection);
    this.#feed = new PostgresTaskFeed(connection);
    const writer = randomUUID();
    const changed = (taskId: string, lastSeq: number) => this.#watchers.wake(taskId, lastSeq);
    this.#line = new WriterLine({ writer, connection, clock });
    this.#writer = new GroupWriter({
      line: this.#line,
      timeoutMs: connection.timeoutMs,
      changed,
      failPoint,
    });
    this.#listener = new WakeUpListener({
      connection,
      logger,
      writer,
      heard: changed,
      missed: () => void this.#wakeAll(),
    });
  }

  async commit(command: Command): Promise<Committed> {
    this.#open();
    return this.#writer.enqueue(toCommandText(command));
  }

  async load(taskId: string): Promise<TaskRow | undefined> {
    this.#open();
    const task = await this.#read.task.get(taskId);
    return task && toTaskRow(task);
  }

  async snapshot(taskId: string, options: SnapshotOptions): Promise<TaskSnapshot | undefined> {
    this.#open();
    const { historyLength, artifacts } = options;
    const task = await this.#read.snapshot.get(historyLength ?? null, artifacts, taskId);
    return (
      task && {
        row: toTaskRow(task),
        history: assembleHistory(task.messages ?? [], historyLength),
        artifacts: (task.artifacts ?? []).flatMap((chunks) => assembleArtifact(chunks) ?? []),
      }
    );
  }

  async events(taskId: string, after: number, limit = 500): Promise<readonly LoggedEvent[]> {
    this.#open();
    const page = await this.#read.events.all(taskId, after, limit);
    return page.map(({ seq, key, at, body }) => ({
      taskId,
      seq,
      key,
      at,
      event: JSON.parse(body) as TaskEvent,
    }));
  }

  async feed(after: FeedPosition | "now", filter: FeedFilter, limit?: number): Promise<FeedPage> {
    this.#open();
    return this.#feed.page(after, filter, limit);
  }

  async list(query: TaskQuery): Promise<TaskPage> {
    this.#open();
    if (query.states?.length === 0) return { rows: [], total: 0 };
    const limit = Math.max(0, query.limit);
    const [page] = await this.#connection.rows(listQuery(this.#connection.queries, query));
    const found = page?.rows ?? [];
    const rows = found.slice(0, limit).map((row) => toTaskRow(textsOf(row)));
    const last = rows.at(-1);
    return {
      rows,
      ...(last && found.length > limit && { next: { statusAt: last.statusAt, taskId: last.taskId } }),
      total: page?.total ?? 0,
    };
  }

  async inbox(taskId: string): Promise<readonly InboxEntry[]> {
    this.#open();
    const entries = await this.#read.inbox.all(taskId);
    return entries.map(({ key, body }) => ({ key, body: JSON.parse(body) as JsonObject }));
  }

  async unfinished(kind: TaskKind): Promise<readonly TaskRow[]> {
    this.#open();
    return (await this.#read.unfinished.all(kind)).map(toTaskRow);
  }

  async unfinishedHeads(kind: TaskKind, limit: number, after?: TaskHead): Promise<readonly TaskHead[]> {
    this.#open();
    return this.#read.heads.all(kind, after?.createdAt ?? -1, after?.taskId ?? "", limit);
  }

  async count(kind: TaskKind, states: readonly TaskState[]): Promise<number> {
    this.#open();
    return (await this.#read.count.get(kind, states))?.tasks ?? 0;
  }

  async taskOfMessage(principal: string, messageId: string): Promise<string | undefined> {
    this.#open();
    return (await this.#read.message.get(principal, messageId))?.taskId;
  }

  async shared(id: string): Promise<SharedDocument | undefined> {
    this.#open();
    const found = await this.#read.shared.get(toColumnText(id));
    return found && { id, revision: Number(found.revision), body: JSON.parse(found.body) as JsonObject };
  }

  async remove(taskId: string): Promise<boolean> {
    this.#open();
    if ((await this.#read.remove.get(taskId)) !== undefined) return true;
    const row = await this.load(taskId);
    if (row !== undefined) throw notOver(taskId, row.state);
    return false;
  }

  watch(taskId: string | undefined, listener: TaskListener): () => void {
    return this.#watchers.add(taskId, listener);
  }

  async check(): Promise<void> {
    this.#open();
    await this.#connection.check();
  }

  /** Commits what was handed in before, then refuses. The pool is its owner's to close. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#writer.close();
    await Promise.all([this.#line.close(), this.#listener.close()]);
    this.#watchers.clear();
  }

  #open(): void {
    if (this.#closed) throw new StoreClosedError();
  }

  /** Of what was committed while nothing was heard, nobody knows which; so each is woken with what its task has reached. */
  async #wakeAll(): Promise<void> {
    const { tasks, all } = this.#watchers.watched();
    if (this.#closed || (tasks.length === 0 && !all)) return;
    try {
      for (const { taskId, lastSeq } of await this.#read.reached.all(tasks, all))
        this.#watchers.wake(taskId, lastSeq);
    } catch (error) {
      this.#logger.warn({ err: error }, "watchers of tasks could not be woken");
    }
  }
}

/** A row that came as JSON: strings in it did not pass through a column. */
function textsOf(row: StoredTaskWithDocument): StoredTaskWithDocument {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "string" ? fromColumnText(value) : value,
    ]),
  ) as unknown as StoredTaskWithDocument;
}
