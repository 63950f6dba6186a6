import {
  closedSession,
  isTerminal,
  PlanStateError,
  type Session,
  TaskNotCancelableError,
  type TaskState,
} from "@cleveragents/domain";
import { cancelMessage } from "../messages/cancel-message.ts";
import type { MessageRunner } from "../messages/message-runner.ts";
import type { Clock } from "../ports/clock.ts";
import type { CommandEnvironments } from "../ports/command-environments.ts";
import type { Logger } from "../ports/logger.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { TaskCursor, TaskKind, TaskRow, TaskStore } from "../ports/task-store.ts";
import type { PlanService } from "./plan-service.ts";

const SWEEP_MS = 30_000;
const PAGE = 100;
const UNFINISHED: readonly TaskState[] = ["submitted", "working", "input-required", "auth-required"];

export interface SessionCloserDeps {
  readonly sessions: SessionStore;
  readonly store: TaskStore;
  /** Undefined where there are no plans. */
  readonly plans?: Pick<PlanService, "cancel"> | undefined;
  /** Undefined where nobody answers messages. */
  readonly runner?: Pick<MessageRunner, "stop"> | undefined;
  /** What runs for the session's plans outside of the agent ends with it. */
  readonly environments?: Pick<CommandEnvironments, "stop"> | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What became of the session's work, by task id. */
export interface Ended {
  readonly cancelled: readonly string[];
  /** Plans that go on without it. */
  readonly detached: readonly string[];
}

/** Ends what goes on in sessions whose closing has begun. It can be done again: a process may have died in the middle. */
export class SessionCloser {
  readonly #deps: SessionCloserDeps;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(deps: SessionCloserDeps) {
    this.#deps = deps;
  }

  /** Ends what an earlier process has begun to end, and looks for such sessions from time to time. */
  async start(): Promise<void> {
    await this.sweep();
    this.#timer = setInterval(() => void this.sweep(), SWEEP_MS);
    this.#timer.unref?.();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Never rejects. */
  async sweep(): Promise<void> {
    const { sessions, logger } = this.#deps;
    try {
      for (const session of await sessions.closing()) await this.settle(session);
    } catch (error) {
      logger.error({ error: String(error) }, "sessions that close could not be closed");
    }
  }

  /** Messages are cancelled, plans too where that was asked for; then what runs outside is stopped and it is closed. */
  async settle(session: Session): Promise<Ended> {
    const { environments } = this.#deps;
    const ended = await this.end(session, session.closing === "cancel");
    await environments?.stop({ contextId: session.sessionId });
    await this.#close(session);
    return ended;
  }

  /** Cancels what is not over of a session. A plan whose changes are being written goes on to its end. */
  async end(session: Session, plansToo: boolean): Promise<Ended> {
    const cancelled = new Set<string>();
    let found: number;
    do {
      found = 0;
      for await (const row of unfinished(this.#deps.store, session, "message"))
        if (await this.#cancelMessage(row)) found = cancelled.add(row.taskId).size;
    } while (found > 0);
    const detached: string[] = [];
    for await (const { taskId } of unfinished(this.#deps.store, session, "plan")) {
      if (plansToo && (await this.#cancelPlan(session, taskId))) cancelled.add(taskId);
      else detached.push(taskId);
    }
    return { cancelled: [...cancelled], detached };
  }

  async #close(closing: Session): Promise<void> {
    const { sessions, clock } = this.#deps;
    let session: Session | undefined = closing;
    while (session !== undefined && session.status !== "closed") {
      if (await sessions.replace(session, closedSession(session, clock.now()))) return;
      session = await sessions.find(closing.sessionId);
    }
  }

  async #cancelMessage(row: TaskRow): Promise<boolean> {
    try {
      await cancelMessage(this.#deps.store, row);
    } catch (error) {
      if (error instanceof TaskNotCancelableError) return false;
      throw error;
    }
    this.#deps.runner?.stop(row.taskId);
    return true;
  }

  async #cancelPlan({ principal }: Session, planId: string): Promise<boolean> {
    const { plans } = this.#deps;
    if (plans === undefined) return false;
    try {
      await plans.cancel({ id: principal, scopes: [] }, planId, "its session was closed");
      return true;
    } catch (error) {
      if (error instanceof PlanStateError) return false;
      throw error;
    }
  }
}

/** Tasks of a session that are not over, newest first. */
export async function* unfinished(
  store: Pick<TaskStore, "list">,
  { sessionId, principal }: Pick<Session, "sessionId" | "principal">,
  kind: TaskKind,
): AsyncGenerator<TaskRow> {
  for await (const row of tasksOf(store, { sessionId, principal }, kind, UNFINISHED))
    if (!isTerminal(row.state)) yield row;
}

/** Tasks of a session, newest status first. */
export async function* tasksOf(
  store: Pick<TaskStore, "list">,
  { sessionId, principal }: Pick<Session, "sessionId" | "principal">,
  kind?: TaskKind,
  states?: readonly TaskState[],
): AsyncGenerator<TaskRow> {
  let cursor: TaskCursor | undefined;
  do {
    const page = await store.list({
      principal,
      contextId: sessionId,
      limit: PAGE,
      ...(kind === undefined ? {} : { kind }),
      ...(states === undefined ? {} : { states }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    yield* page.rows;
    cursor = page.next;
  } while (cursor !== undefined);
}
