import {
  FencedError,
  isTerminal,
  type Session,
  TaskNotCancelableError,
  TaskNotFoundError,
  TaskStateError,
  takesWork,
  usedSession,
} from "@cleveragents/domain";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { TaskRow, TaskStore } from "../ports/task-store.ts";
import { cancelMessage } from "./cancel-message.ts";
import { atRest, messageDocumentOf, toDocument, turnRun } from "./message-document.ts";
import type { MessageRunner } from "./message-runner.ts";

/** How many messages of a session may wait for their turn. */
export const LONGEST_LINE = 100;

export interface SessionLineDeps {
  readonly store: TaskStore;
  readonly sessions: SessionStore;
  readonly runner: MessageRunner;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Messages of one session are answered one after the other, in the order in which they were taken in; sessions do not
 * wait for each other. The line is in the store: a task that waits says so, and the session names the task whose turn
 * it is. So whoever is left when a process died goes on with it, and two processes never take two turns at once.
 */
export class SessionLine {
  readonly #deps: SessionLineDeps;
  readonly #calls = new Map<string, { again: boolean; readonly done: Promise<void> }>();

  constructor(deps: SessionLineDeps) {
    this.#deps = deps;
  }

  /** Lets the next message of a session begin if it is nobody's turn. Never rejects; the keeper looks again. */
  call(sessionId: string): Promise<void> {
    const running = this.#calls.get(sessionId);
    if (running !== undefined) {
      running.again = true;
      return running.done;
    }
    const call = { again: false, done: Promise.resolve() };
    this.#calls.set(sessionId, call);
    call.done = this.#callAll(sessionId, call);
    return call.done;
  }

  async #callAll(sessionId: string, call: { again: boolean }): Promise<void> {
    try {
      do {
        call.again = false;
        await this.#advance(sessionId);
      } while (call.again);
    } catch (error) {
      this.#deps.logger.error({ sessionId, error: String(error) }, "a session's next message was not begun");
    } finally {
      this.#calls.delete(sessionId);
    }
  }

  async #advance(sessionId: string): Promise<void> {
    const { store, sessions, runner, clock } = this.#deps;
    while (!runner.closing) {
      const session = await sessions.find(sessionId);
      if (session === undefined) return;
      const holder = session.turn === undefined ? undefined : await store.load(session.turn);
      if (holder !== undefined && isWorkedOn(holder)) return;
      // Whose turn it is already goes before all others: its process may have died before it could begin.
      const next = holder !== undefined && isInLine(holder) ? holder : await this.#first(session);
      if (next === undefined) return;
      if (!takesWork(session)) {
        await this.#drop(next);
        continue;
      }
      const turn = { ...usedSession(session, clock.now()), turn: next.taskId };
      if (session.turn !== next.taskId && !(await sessions.replace(session, turn))) continue;
      if (await this.#begin(next, turn)) return;
    }
  }

  /** The task that waits longest. */
  async #first({ sessionId, principal }: Session): Promise<TaskRow | undefined> {
    const { rows } = await this.#deps.store.list({
      principal,
      contextId: sessionId,
      kind: "message",
      states: ["submitted", "working"],
      limit: 2 * LONGEST_LINE,
    });
    return rows.filter(isInLine).at(-1);
  }

  /** False if the task is not what it was any more. */
  async #begin(row: TaskRow, session: Session): Promise<boolean> {
    const { store, runner } = this.#deps;
    const { taskId, contextId, principal, epoch, revision } = row;
    const waiting = messageDocumentOf(row);
    const document = { ...atRest(waiting), leaseUntil: runner.lease() };
    const snapshot = await store.snapshot(taskId, { artifacts: false });
    const message = snapshot?.history.filter(({ role }) => role === "user").at(-1);
    if (message === undefined) return false;
    try {
      await store.commit({
        taskId,
        expect: { epoch, revision },
        document: toDocument(document),
        runId: turnRun(document),
        events:
          row.state === "working"
            ? []
            : [{ key: `t${document.turn}:working`, event: { type: "status", state: "working" } }],
      });
    } catch (error) {
      if (isStale(error)) return false;
      throw error;
    }
    runner.begin({ taskId, contextId, principal, epoch, document, message, session });
    return true;
  }

  /** What still waits in a session that is closed was taken in while it closed. */
  async #drop(row: TaskRow): Promise<void> {
    try {
      await cancelMessage(this.#deps.store, row);
    } catch (error) {
      if (!(error instanceof TaskNotCancelableError)) throw error;
    }
  }
}

function isInLine(row: TaskRow): boolean {
  return row.kind === "message" && !isTerminal(row.state) && messageDocumentOf(row).queued === true;
}

function isWorkedOn(row: TaskRow): boolean {
  return row.kind === "message" && !isTerminal(row.state) && messageDocumentOf(row).leaseUntil !== undefined;
}

function isStale(error: unknown): boolean {
  return (
    error instanceof FencedError || error instanceof TaskStateError || error instanceof TaskNotFoundError
  );
}
