import type { LoggedEvent } from "@cleveragents/domain";
import type { Principal } from "@cleveragents/protocol";
import type { SessionStore } from "../ports/session-store.ts";
import type { FeedPosition, TaskRow, TaskStore } from "../ports/task-store.ts";
import { type EventNotification, toEventNotification } from "../wire/event.ts";
import { decodeEventCursor, encodeEventCursor } from "./event-cursor.ts";
import { assertContext, type EventTarget, taskOfTarget } from "./event-target.ts";
import { badToken } from "./page-token.ts";

export interface EventExportQuery extends EventTarget {
  /** Milliseconds; what was logged then or later. */
  readonly since?: number | undefined;
  /** Milliseconds; what was logged then or before. */
  readonly until?: number | undefined;
  readonly limit: number;
  readonly token?: string | undefined;
}

export interface EventExportPage {
  readonly events: readonly EventNotification[];
  readonly total?: number;
  /** Empty when there is nothing more by now. */
  readonly next: string;
}

const TOKEN = "page_token";
/** Events lie in the order of their commits; clocks of several hosts differ by less than this. */
const CLOCKS_APART_MS = 10 * 60_000;
/** How many pages of other people's events one answer looks through. */
const PAGES_AT_ONCE = 50;
/** A page ends when it has so many characters. */
const PAGE_CHARACTERS = 1_000_000;

/** What was logged, in the order of a task's log, or in that of the commits of many tasks. */
export class EventExportService {
  readonly #deps: { readonly store: TaskStore; readonly sessions: SessionStore };

  constructor(deps: { readonly store: TaskStore; readonly sessions: SessionStore }) {
    this.#deps = deps;
  }

  /** Throws the domain's not-found errors for what is not there, or is somebody else's. */
  async page(principal: Principal, query: EventExportQuery, signal: AbortSignal): Promise<EventExportPage> {
    const row = await taskOfTarget(this.#deps, principal, query);
    return row === undefined ? this.#many(principal, query, signal) : this.#one(row, query, signal);
  }

  async #one(row: TaskRow, query: EventExportQuery, signal: AbortSignal): Promise<EventExportPage> {
    const { taskId, contextId, lastSeq } = row;
    const page = new Page(query);
    let at = afterInTask(query.token, row);
    while (at < lastSeq && !page.isFull && !signal.aborted) {
      const found = await this.#deps.store.events(taskId, at, query.limit);
      if (found.length === 0) break;
      for (const logged of found) {
        if (page.isFull) break;
        page.take(logged, contextId);
        at = logged.seq;
      }
    }
    return {
      events: page.events,
      ...(query.since === undefined && query.until === undefined && { total: lastSeq }),
      next: at < lastSeq ? encodeEventCursor({ kind: "task", taskId, seq: at }) : "",
    };
  }

  async #many(principal: Principal, query: EventExportQuery, signal: AbortSignal): Promise<EventExportPage> {
    const { sessionId, since, until = Number.POSITIVE_INFINITY } = query;
    if (sessionId !== undefined) await assertContext(this.#deps, principal, sessionId);
    const { store } = this.#deps;
    const filter = { principal: principal.id, ...(sessionId !== undefined && { contextId: sessionId }) };
    const page = new Page(query);
    let at = await this.#start(query.token, since);
    let own: FeedPosition | undefined;
    for (let pages = 0; pages < PAGES_AT_ONCE && !signal.aborted; pages++) {
      const found = await store.feed(at, filter);
      for (const { logged, contextId, position } of found.events) {
        if (logged.at > until + CLOCKS_APART_MS) return { events: page.events, next: "" };
        page.take(logged, contextId);
        own = position;
        if (page.isFull) return { events: page.events, next: tokenOf(position) };
      }
      at = found.next;
      if (found.ahead !== "more") return { events: page.events, next: "" };
    }
    // A place in somebody else's task is not named.
    return { events: page.events, next: tokenOf(own ?? { at: at.at, taskId: "", seq: 0 }) };
  }

  async #start(token: string | undefined, since: number | undefined): Promise<FeedPosition> {
    if (token !== undefined && token !== "") return decodeEventCursor(token, TOKEN, "feed");
    return { at: since === undefined ? 0 : await this.#before(since - CLOCKS_APART_MS), taskId: "", seq: 0 };
  }

  /** A place with nothing before it that was logged at that time or later, as far as clocks agree. */
  async #before(time: number): Promise<number> {
    const { store } = this.#deps;
    let low = 0;
    let high = (await store.feed("now", { principal: null })).next.at;
    while (low < high) {
      const middle = low + Math.floor((high - low) / 2);
      const { events } = await store.feed({ at: middle, taskId: "", seq: 0 }, { principal: null }, 1);
      const first = events[0];
      if (first === undefined || first.logged.at >= time) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function tokenOf(position: FeedPosition): string {
  return encodeEventCursor({ kind: "feed", ...position });
}

function afterInTask(token: string | undefined, { taskId, lastSeq }: TaskRow): number {
  if (token === undefined || token === "") return 0;
  const cursor = decodeEventCursor(token, TOKEN, "task");
  if (cursor.taskId !== taskId || cursor.seq > lastSeq) throw badToken(TOKEN);
  return cursor.seq;
}

/** What one answer has, of the time that was asked for. */
class Page {
  readonly events: EventNotification[] = [];
  readonly #query: EventExportQuery;
  #characters = 0;

  constructor(query: EventExportQuery) {
    this.#query = query;
  }

  get isFull(): boolean {
    return this.events.length >= this.#query.limit || this.#characters >= PAGE_CHARACTERS;
  }

  take(logged: LoggedEvent, contextId: string): void {
    const { since = 0, until = Number.POSITIVE_INFINITY } = this.#query;
    if (logged.at < since || logged.at > until) return;
    const event = toEventNotification(logged, contextId, false);
    this.events.push(event);
    this.#characters += JSON.stringify(event).length;
  }
}
