import { isTerminal } from "@cleveragents/domain";
import { type Principal, ProtocolError, type StreamElement } from "@cleveragents/protocol";
import type { EventFeed } from "../log/event-feed.ts";
import type { TaskFeeds } from "../log/task-feed.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { TaskRow, TaskStore } from "../ports/task-store.ts";
import { toEventNotification } from "../wire/event.ts";
import { badEventCursor, decodeEventCursor, type EventCursor, encodeEventCursor } from "./event-cursor.ts";
import { assertContext, type EventTarget, taskOfTarget } from "./event-target.ts";

export interface EventServiceDeps {
  readonly store: TaskStore;
  readonly sessions: SessionStore;
  readonly feeds: TaskFeeds;
  readonly feed: EventFeed;
}

/** Where to go on: after an event of the one task, or after a cursor, which the field named brought; else from now on. */
export interface EventStart {
  readonly afterSeq?: number | undefined;
  readonly cursor?: { readonly text: string; readonly field: string } | undefined;
}

/** Events as notifications: of one task in the order of its log, of many in the order of their commits. */
export class EventService {
  readonly #deps: EventServiceDeps;

  constructor(deps: EventServiceDeps) {
    this.#deps = deps;
  }

  /**
   * First that the subscription stands, then every event after the start, once. One task ends it, after its last event;
   * otherwise it goes on until the signal. Throws the domain's not-found errors, for what is somebody else's too.
   */
  async *subscribe(
    principal: Principal,
    target: EventTarget,
    start: EventStart,
    signal: AbortSignal,
  ): AsyncGenerator<StreamElement> {
    const row = await taskOfTarget(this.#deps, principal, target);
    if (row !== undefined) yield* this.#followTask(row, target, start, signal);
    else yield* this.#followMany(principal, target.sessionId, start, signal);
  }

  async *#followTask(
    { taskId, contextId, state, lastSeq }: TaskRow,
    target: EventTarget,
    start: EventStart,
    signal: AbortSignal,
  ): AsyncGenerator<StreamElement> {
    const after = sequenceOf(start, taskId, lastSeq);
    const over = isTerminal(state) && after >= lastSeq;
    yield subscribed(target, { kind: "task", taskId, seq: after }, over);
    if (over) return;
    for await (const page of this.#deps.feeds.follow(taskId, after, signal)) {
      for (const logged of page) {
        const { seq, event } = logged;
        const last = event.type === "status" && isTerminal(event.state);
        const { method, params } = toEventNotification(logged, contextId, last);
        yield {
          cursor: encodeEventCursor({ kind: "task", taskId, seq }),
          seq,
          event: method,
          result: params,
        };
        if (last) return;
      }
    }
  }

  async *#followMany(
    principal: Principal,
    sessionId: string | undefined,
    { cursor }: EventStart,
    signal: AbortSignal,
  ): AsyncGenerator<StreamElement> {
    if (sessionId !== undefined) await assertContext(this.#deps, principal, sessionId);
    const { feed } = this.#deps;
    const after =
      cursor === undefined ? await feed.now() : decodeEventCursor(cursor.text, cursor.field, "feed");
    const from = { at: after.at, taskId: after.taskId, seq: after.seq };
    yield subscribed({ sessionId }, { kind: "feed", ...from }, false);
    const filter = {
      principal: principal.id,
      ...(sessionId === undefined ? {} : { contextId: sessionId }),
    };
    for await (const page of feed.follow(from, filter, signal)) {
      for (const { logged, contextId, position } of page) {
        const { method, params } = toEventNotification(logged, contextId, false);
        const next = encodeEventCursor({ kind: "feed", ...position });
        yield { cursor: next, seq: logged.seq, event: method, result: params };
      }
    }
  }
}

/** After which event of the task's log: after its last one if nothing is said. */
function sequenceOf({ afterSeq, cursor }: EventStart, taskId: string, lastSeq: number): number {
  if (cursor !== undefined) {
    const given = decodeEventCursor(cursor.text, cursor.field, "task");
    if (given.taskId === taskId && given.seq <= lastSeq) return given.seq;
    throw badEventCursor(cursor.field);
  }
  if (afterSeq === undefined || afterSeq <= lastSeq) return afterSeq ?? lastSeq;
  throw new ProtocolError("InvalidParams", {
    violations: [{ field: "afterSeq", description: `the log of this task has only ${lastSeq} events` }],
  });
}

function subscribed(
  { planId, taskId, sessionId }: EventTarget,
  cursor: EventCursor,
  over: boolean,
): StreamElement {
  const sequence = cursor.kind === "task" ? cursor.seq : 0;
  return {
    cursor: encodeEventCursor(cursor),
    seq: sequence,
    event: "event/subscribed",
    result: {
      subscription: {
        ...(planId === undefined ? {} : { plan_id: planId }),
        ...(taskId === undefined ? {} : { task_id: taskId }),
        ...(sessionId === undefined ? {} : { session_id: sessionId }),
      },
      sequence,
      ...(over ? { final: true } : {}),
    },
  };
}
