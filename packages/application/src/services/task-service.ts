import { TaskNotFoundError, type TaskState } from "@cleveragents/domain";
import type { Cursor, Principal, StreamElement } from "@cleveragents/protocol";
import type { TaskFeeds } from "../log/task-feed.ts";
import { subscribe } from "../log/task-subscription.ts";
import { cancelMessage } from "../messages/cancel-message.ts";
import { messageDocumentOf } from "../messages/message-document.ts";
import type { MessageRunner } from "../messages/message-runner.ts";
import type { SessionLine } from "../messages/session-line.ts";
import type { TaskCursor, TaskRow, TaskSnapshot, TaskStore } from "../ports/task-store.ts";
import { mayUse, ownTask } from "./access.ts";
import type { PlanService } from "./plan-service.ts";
import { PolledSnapshots } from "./polled-snapshots.ts";

export interface TaskServiceDeps {
  readonly store: TaskStore;
  readonly feeds: TaskFeeds;
  readonly plans: PlanService;
  readonly runner: MessageRunner | undefined;
  /** Where messages of sessions wait for their turn. */
  readonly line?: SessionLine | undefined;
}

/** The standard A2A operations on tasks that are there; every one sees the caller's own tasks only. */
export class TaskService {
  readonly #deps: TaskServiceDeps;
  readonly #polled = new PolledSnapshots();

  constructor(deps: TaskServiceDeps) {
    this.#deps = deps;
  }

  /** A2A §3.1.3. */
  async get(principal: Principal, taskId: string, historyLength: number | undefined): Promise<TaskSnapshot> {
    const snapshot = await this.#deps.store.snapshot(taskId, {
      artifacts: true,
      ...(historyLength === undefined ? {} : { historyLength }),
    });
    if (snapshot === undefined || !mayUse(principal, snapshot.row)) throw new TaskNotFoundError(taskId);
    return snapshot;
  }

  /** The same whole, for who asks again and again: `same` if it is the very object that was answered before. */
  async poll(
    principal: Principal,
    taskId: string,
  ): Promise<{ readonly snapshot: TaskSnapshot; readonly same: boolean }> {
    const earlier = this.#polled.earlier(taskId);
    const snapshot = await this.#deps.store.snapshot(taskId, { artifacts: true, earlier });
    if (snapshot === undefined || !mayUse(principal, snapshot.row)) throw new TaskNotFoundError(taskId);
    this.#polled.keep(snapshot);
    return { snapshot, same: snapshot === earlier };
  }

  /** A2A §3.1.4: newest status first, by keyset. */
  async list(
    principal: Principal,
    query: {
      readonly contextId?: string | undefined;
      readonly state?: TaskState | undefined;
      readonly statusSince?: number | undefined;
      readonly limit: number;
      readonly cursor?: TaskCursor | undefined;
      readonly historyLength: number;
      readonly artifacts: boolean;
    },
  ): Promise<{
    readonly snapshots: readonly TaskSnapshot[];
    readonly next: TaskCursor | undefined;
    readonly total: number;
  }> {
    const { store } = this.#deps;
    const page = await store.list({
      principal: principal.id,
      limit: query.limit,
      ...(query.contextId === undefined ? {} : { contextId: query.contextId }),
      ...(query.state === undefined ? {} : { states: [query.state] }),
      ...(query.statusSince === undefined ? {} : { statusSince: query.statusSince }),
      ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
    });
    const snapshots: TaskSnapshot[] = [];
    for (const row of page.rows) {
      const bare = query.historyLength === 0 && !query.artifacts;
      const whole = bare
        ? undefined
        : await store.snapshot(row.taskId, {
            historyLength: query.historyLength,
            artifacts: query.artifacts,
          });
      snapshots.push(whole ?? { row, history: [], artifacts: [] });
    }
    return { snapshots, next: page.next, total: page.total };
  }

  /** A2A §3.1.5. Throws `PlanStateError` or `TaskNotCancelableError` where it cannot be cancelled. */
  async cancel(principal: Principal, taskId: string, reason: string | undefined): Promise<TaskSnapshot> {
    const row = await ownTask(this.#deps.store, principal, taskId);
    if (row.kind === "plan") await this.#deps.plans.cancel(principal, taskId, reason);
    else await this.#cancelMessage(row);
    return this.get(principal, taskId, undefined);
  }

  /** Durable first, then what runs here is stopped; what runs elsewhere finds its epoch gone. */
  async #cancelMessage(row: TaskRow): Promise<void> {
    const { store, runner, line } = this.#deps;
    await cancelMessage(store, row);
    runner?.stop(row.taskId);
    if (messageDocumentOf(row).session === true) void line?.call(row.contextId);
  }

  /** A2A §3.1.6, with the resume extension. */
  subscribe(
    principal: Principal,
    request: {
      readonly taskId: string;
      readonly resumable: boolean;
      readonly after: Cursor | undefined;
      readonly signal: AbortSignal;
    },
  ): AsyncIterable<StreamElement> {
    return subscribe(this.#deps, principal, request);
  }
}
