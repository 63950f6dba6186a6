import {
  AskMismatchError,
  isTerminal,
  type JsonObject,
  type Message,
  TaskNotFoundError,
  type TaskState,
  TaskStateError,
  textOf,
} from "@cleveragents/domain";
import { type Cursor, type Principal, ProtocolError, type StreamElement } from "@cleveragents/protocol";
import type { AskService } from "../ask/ask-service.ts";
import type { TaskFeeds } from "../log/task-feed.ts";
import { subscribe } from "../log/task-subscription.ts";
import { planOf } from "../plans/plan-document.ts";
import type { IdGenerator } from "../ports/clock.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import {
  MessageSeenError,
  type TaskCursor,
  type TaskRow,
  type TaskSnapshot,
  type TaskStore,
} from "../ports/task-store.ts";
import { readAnswer } from "../wire/ask.ts";
import { mayUse, ownTask } from "./access.ts";
import { readActionCall } from "./action-call.ts";
import type { PlanService } from "./plan-service.ts";
import { untilAtRest } from "./waiting.ts";

export interface TaskServiceDeps {
  readonly store: TaskStore;
  readonly feeds: TaskFeeds;
  readonly registry: RegistryStore;
  readonly ids: IdGenerator;
  readonly asks: AskService;
  readonly plans: PlanService;
}

export interface SendRequest {
  readonly message: Message;
  readonly returnImmediately: boolean;
  readonly signal: AbortSignal;
}

/** The standard A2A operations on tasks; every one sees the caller's own tasks only. */
export class TaskService {
  readonly #deps: TaskServiceDeps;

  constructor(deps: TaskServiceDeps) {
    this.#deps = deps;
  }

  /** A2A §3.1.1. Answers the id of the task that the message belongs to now, or a message when it belongs to none. */
  async send(
    principal: Principal,
    request: SendRequest,
  ): Promise<{ readonly taskId: string } | { readonly message: Message }> {
    const { message } = request;
    const seen = await this.#deps.store.taskOfMessage(principal.id, message.messageId);
    const outcome = seen === undefined ? await this.#accept(principal, message) : { taskId: seen };
    if ("taskId" in outcome && !request.returnImmediately)
      await untilAtRest(this.#deps.store, outcome.taskId, request.signal);
    return outcome;
  }

  async #accept(principal: Principal, message: Message): Promise<{ taskId: string } | { message: Message }> {
    try {
      if (message.taskId !== undefined && message.taskId !== "") {
        const row = await ownTask(this.#deps.store, principal, message.taskId);
        await this.#continue(principal, row, message);
        return { taskId: row.taskId };
      }
      const call = readActionCall(message);
      if (call === undefined) return { message: await this.#orientation(message) };
      const plan = await this.#deps.plans.use(principal, { ...call, contextId: message.contextId, message });
      return { taskId: plan.planId };
    } catch (error) {
      // The same message came twice at once: both belong to the task of the first.
      if (error instanceof MessageSeenError) return { taskId: error.taskId };
      throw error;
    }
  }

  async #continue(principal: Principal, row: TaskRow, message: Message): Promise<void> {
    const { asks, plans } = this.#deps;
    if (message.contextId !== undefined && message.contextId !== "" && message.contextId !== row.contextId) {
      throw new ProtocolError("InvalidParams", {
        violations: [{ field: "message.contextId", description: "the task belongs to another context" }],
      });
    }
    if (isTerminal(row.state))
      throw new TaskStateError(row.taskId, row.state, "a finished task takes no more messages");
    const plan = planOf(row);
    const read = readAnswer(message);
    if (read.kind === "conflicting")
      throw new AskMismatchError(row.taskId, "the message answers twice, and not the same");
    if (read.kind === "structured") {
      await asks.answer(row, asks.read(plan, read.answer), principal.id, message);
      return;
    }
    if (row.state !== "input-required" || plan.open === undefined)
      return plans.guide(row, message, textOf(message));
    const decision = asks.readText(plan, read.text);
    if (decision === undefined) await asks.askAgain(row, message);
    else await asks.answer(row, decision, principal.id, message);
  }

  /** Without a model there is nobody to talk to: says what can be done instead of pretending. */
  async #orientation(message: Message): Promise<Message> {
    const actions = (await this.#deps.registry.list("action")).map((entry) => entry.name);
    const known =
      actions.length === 0 ? "There is no action yet: add one first." : `Actions: ${actions.join(", ")}.`;
    const text = `No model is configured, so text alone starts nothing. Send a data part like {"action_name": "…", "arguments": {…}, "project": "…"} to start a plan. ${known}`;
    const data: JsonObject = { type: "orientation", actions };
    return {
      messageId: this.#deps.ids.next(),
      role: "agent",
      ...(message.contextId === undefined ? {} : { contextId: message.contextId }),
      parts: [
        { kind: "text", text },
        { kind: "data", data },
      ],
    };
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

  /** A2A §3.1.5. Throws `TaskStateError` of the plan where it cannot be cancelled. */
  async cancel(principal: Principal, taskId: string, reason: string | undefined): Promise<TaskSnapshot> {
    await ownTask(this.#deps.store, principal, taskId);
    await this.#deps.plans.cancel(principal, taskId, reason);
    return this.get(principal, taskId, undefined);
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
