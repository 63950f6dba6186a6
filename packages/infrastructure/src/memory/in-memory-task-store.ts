import type {
  Clock,
  Command,
  Committed,
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
import {
  isTerminal,
  type JsonObject,
  type LoggedEvent,
  type TaskEvent,
  type TaskState,
} from "@cleveragents/domain";
import { assembleArtifact, assembleHistory } from "../schema/assemble.ts";
import { type CommandText, toCommandText } from "../schema/command-text.ts";
import { decide } from "../schema/decide.ts";
import { pageOf } from "../schema/event-page.ts";
import { FEED_ROWS, feedPage } from "../schema/feed-page.ts";
import { notOver } from "../schema/not-over.ts";
import { StoreClosedError } from "../schema/store-closed-error.ts";
import { toTaskRow } from "../schema/stored-task.ts";
import { type TaskListener, TaskWatchers } from "../schema/task-watchers.ts";
import { MemoryTasks, type TaskRecord } from "./memory-tasks.ts";

/** Tasks of one process, gone with it. Keeps text, like a database: nothing that goes in or out is shared. */
export class InMemoryTaskStore implements TaskStore {
  readonly #clock: Clock;
  readonly #watchers: TaskWatchers;
  readonly #tasks = new MemoryTasks();
  #closed = false;

  constructor(deps: { readonly clock: Clock; readonly logger: Logger }) {
    this.#clock = deps.clock;
    this.#watchers = new TaskWatchers(deps.logger);
  }

  async commit(command: Command): Promise<Committed> {
    this.#open();
    const text = toCommandText(command);
    // Nobody may count on a commit that is done when `commit` returns; commands still follow each other in order.
    await undefined;
    return this.#apply(text);
  }

  #apply(command: CommandText): Committed {
    this.#open();
    const change = decide(command, this.#tasks, this.#clock.now());
    if (change.changed) {
      this.#tasks.write(change);
      queueMicrotask(() => this.#watchers.wake(change.after.taskId, change.after.lastSeq));
    }
    return change.committed;
  }

  async load(taskId: string): Promise<TaskRow | undefined> {
    return this.#row(this.#record(taskId));
  }

  async snapshot(taskId: string, options: SnapshotOptions): Promise<TaskSnapshot | undefined> {
    const record = this.#record(taskId);
    const row = this.#row(record);
    if (record === undefined || row === undefined) return undefined;
    const messages = options.historyLength === 0 ? [] : record.events.filter((e) => e.messages > 0);
    const newest = options.historyLength === undefined ? messages : messages.slice(-options.historyLength);
    return {
      row,
      history: assembleHistory(
        newest.map((e) => e.body),
        options.historyLength,
      ),
      artifacts: options.artifacts
        ? [...record.artifacts.values()].flatMap((bodies) => assembleArtifact(bodies) ?? [])
        : [],
    };
  }

  async events(taskId: string, after: number, limit = 500): Promise<readonly LoggedEvent[]> {
    const log = this.#record(taskId)?.events ?? [];
    // The event of sequence n is at n - 1.
    const read = (seq: number, rows: number) => log.slice(Math.max(0, seq), Math.max(0, seq) + rows);
    return pageOf(read, after, limit).map(({ seq, key, at, body }) => ({
      taskId,
      seq,
      key,
      at,
      event: JSON.parse(body) as TaskEvent,
    }));
  }

  async feed(after: FeedPosition | "now", filter: FeedFilter, limit = FEED_ROWS): Promise<FeedPage> {
    this.#open();
    const { order, records } = this.#tasks;
    if (after === "now")
      return { events: [], next: { at: order.length, taskId: "", seq: 0 }, ahead: "nothing" };
    // What stands at index n - 1 has the position n.
    const rows = order.slice(after.at, after.at + limit).flatMap(({ taskId, seq }, i) => {
      const record = records.get(taskId);
      const event = record?.events[seq - 1];
      if (record === undefined || event === undefined) return [];
      const { principal, contextId } = record.task;
      return { position: after.at + i + 1, taskId, principal, contextId, ...event };
    });
    return feedPage(rows, after, filter, after.at + limit < order.length ? "more" : "nothing");
  }

  async list(query: TaskQuery): Promise<TaskPage> {
    this.#open();
    const { cursor } = query;
    const matching = [...this.#tasks.records.values()]
      .filter((record) => matches(query, record))
      .sort(byStatus);
    const rest =
      cursor === undefined
        ? matching
        : matching.filter(({ task }) => byStatus({ task: cursor }, { task }) < 0);
    const rows = rest.slice(0, Math.max(0, query.limit));
    const last = rows.at(-1)?.task;
    return {
      rows: rows.flatMap((record) => this.#row(record) ?? []),
      ...(last && rest.length > rows.length && { next: { statusAt: last.statusAt, taskId: last.taskId } }),
      total: matching.length,
    };
  }

  async inbox(taskId: string): Promise<readonly InboxEntry[]> {
    const entries = [...(this.#record(taskId)?.inbox ?? [])].filter(([, entry]) => !entry.taken);
    return entries.map(([key, { body }]) => ({ key, body: JSON.parse(body) as JsonObject }));
  }

  async unfinished(kind: TaskKind): Promise<readonly TaskRow[]> {
    this.#open();
    return [...this.#tasks.records.values()]
      .filter(({ task }) => task.kind === kind && !isTerminal(task.state))
      .sort((a, b) => a.task.createdAt - b.task.createdAt || compare(a.task.taskId, b.task.taskId))
      .flatMap((record) => this.#row(record) ?? []);
  }

  async unfinishedHeads(kind: TaskKind, limit: number, after?: TaskHead): Promise<readonly TaskHead[]> {
    const rest = (await this.unfinished(kind)).filter(
      (row) =>
        after === undefined || (row.createdAt - after.createdAt || compare(row.taskId, after.taskId)) > 0,
    );
    return rest.slice(0, limit).map(({ taskId, state, createdAt, epoch, runId }) => {
      const inbox = [...(this.#record(taskId)?.inbox.values() ?? [])];
      return { taskId, state, createdAt, epoch, runId, mail: inbox.some((entry) => !entry.taken) };
    });
  }

  async count(kind: TaskKind, states: readonly TaskState[]): Promise<number> {
    this.#open();
    const tasks = [...this.#tasks.records.values()].map(({ task }) => task);
    return tasks.filter((task) => task.kind === kind && states.includes(task.state)).length;
  }

  async taskOfMessage(principal: string, messageId: string): Promise<string | undefined> {
    this.#open();
    return this.#tasks.taskOfMessage(principal, messageId);
  }

  async remove(taskId: string): Promise<boolean> {
    const record = this.#record(taskId);
    if (record === undefined) return false;
    if (!isTerminal(record.task.state)) throw notOver(taskId, record.task.state);
    this.#tasks.remove(taskId);
    return true;
  }

  async shared(id: string): Promise<SharedDocument | undefined> {
    this.#open();
    const found = this.#tasks.shared.get(id);
    return found && { id, revision: found.revision, body: JSON.parse(found.body) as JsonObject };
  }

  watch(taskId: string | undefined, listener: TaskListener): () => void {
    return this.#watchers.add(taskId, listener);
  }

  async check(): Promise<void> {
    this.#open();
  }

  async close(): Promise<void> {
    // What was committed before this call is queued before it, too.
    await undefined;
    this.#closed = true;
    this.#watchers.clear();
  }

  #open(): void {
    if (this.#closed) throw new StoreClosedError();
  }

  #record(taskId: string): TaskRecord | undefined {
    this.#open();
    return this.#tasks.records.get(taskId);
  }

  #row(record: TaskRecord | undefined): TaskRow | undefined {
    return record && toTaskRow({ ...record.task, document: record.document });
  }
}

function matches(query: TaskQuery, { task }: TaskRecord): boolean {
  return (
    task.principal === query.principal &&
    (query.kind === undefined || task.kind === query.kind) &&
    (query.contextId === undefined || task.contextId === query.contextId) &&
    (query.states === undefined || query.states.includes(task.state)) &&
    (query.statusSince === undefined || task.statusAt >= query.statusSince)
  );
}

type Placed = { readonly task: { readonly statusAt: number; readonly taskId: string } };

function byStatus(a: Placed, b: Placed): number {
  return b.task.statusAt - a.task.statusAt || compare(b.task.taskId, a.task.taskId);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
