import {
  type BudgetLimits,
  type ClosingPlans,
  canonicalName,
  closingSession,
  EntryNotFoundError,
  isProviderActor,
  type JsonObject,
  type Message,
  type Session,
  SessionNotFoundError,
  type SessionState,
  SessionStateError,
  sessionState,
  takesWork,
  textOf,
} from "@cleveragents/domain";
import { type Principal, ProtocolError } from "@cleveragents/protocol";
import { saidElsewhere, saidIn } from "../messages/earlier.ts";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { MessageActors } from "../ports/message-actor.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import type { SessionCursor, SessionPlaces, SessionStore } from "../ports/session-store.ts";
import type { TaskRow, TaskSnapshot, TaskStore } from "../ports/task-store.ts";
import { mayUse } from "./access.ts";
import { type Ended, type SessionCloser, tasksOf, unfinished } from "./session-closer.ts";
import { exportSession } from "./session-export.ts";
import { type Imported, importedSession } from "./session-import.ts";

/** How long a session is in use after it was used last, and how many a caller may have in use, where nobody says. */
const SESSION_TIMEOUT_MS = 3_600_000;
const MAX_SESSIONS = 100;
/** How long a caller waits for the session's work to end. */
const CLOSE_WITHIN_MS = 10_000;
const RECENT = 20;

export interface SessionServiceDeps {
  readonly sessions: SessionStore;
  readonly store: TaskStore;
  readonly registry: Pick<RegistryStore, "find" | "list">;
  readonly closer: SessionCloser;
  /** Who answers in names that are registered nowhere: models of providers that were added. */
  readonly actors?: MessageActors | undefined;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly timeoutMs?: number | undefined;
  readonly maxSessions?: number | undefined;
  readonly closeWithinMs?: number | undefined;
}

export interface NewSession {
  readonly sessionId?: string | undefined;
  readonly actor?: string | undefined;
  readonly name?: string | undefined;
  readonly budget?: BudgetLimits | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** A session as its owner sees it. */
export interface SessionView {
  readonly session: Session;
  readonly state: SessionState;
}

export interface SessionDetails extends SessionView {
  /** Newest of what was said, oldest first. */
  readonly recent: readonly Message[];
  /** Message tasks in it; those that are not answered; and its plans, newest first. */
  readonly tasks: number;
  readonly waiting: number;
  readonly plans: readonly TaskRow[];
  /** What came with it from elsewhere. */
  readonly record: JsonObject | undefined;
}

/** Sessions of their owners. Whose a session is not, for them it is not there: `SessionNotFoundError`. */
export class SessionService {
  readonly #deps: SessionServiceDeps;
  readonly #timeoutMs: number;

  constructor(deps: SessionServiceDeps) {
    this.#deps = deps;
    this.#timeoutMs = deps.timeoutMs ?? SESSION_TIMEOUT_MS;
  }

  /**
   * Opens a session. With an id that the caller has already it answers that one; with somebody else's,
   * `SessionNotFoundError`. Throws `EntryNotFoundError` for an actor that is neither registered nor a provider's model,
   * and `TooManySessionsError` where the caller has as many in use as they may.
   */
  async create(principal: Principal, request: NewSession): Promise<Session> {
    const { sessions, ids } = this.#deps;
    const actor = request.actor === undefined ? undefined : await this.#actorOf(request.actor);
    const session = await sessions.create(
      this.#new(principal, { ...request, actor, sessionId: request.sessionId ?? ids.next() }),
      this.#places(),
    );
    if (!mayUse(principal, session)) throw new SessionNotFoundError(session.sessionId);
    return session;
  }

  async find(principal: Principal, sessionId: string): Promise<SessionView> {
    const session = await this.#deps.sessions.find(sessionId);
    if (session === undefined || !mayUse(principal, session)) throw new SessionNotFoundError(sessionId);
    return this.#view(session);
  }

  /** An id for a message that came without one. */
  messageId(): string {
    return this.#deps.ids.next();
  }

  /** What was answered last in a task, as text; empty as long as nothing was. */
  answerIn(snapshot: TaskSnapshot): string {
    const last = saidIn(snapshot).at(-1);
    return last?.role === "agent" ? textOf(last) : "";
  }

  /** A session that something can be said in. Throws `SessionStateError` for one that is closed. */
  async open(principal: Principal, sessionId: string): Promise<SessionView> {
    const view = await this.find(principal, sessionId);
    if (!takesWork(view.session))
      throw new SessionStateError(view.session, "it takes nothing new; open another session");
    return view;
  }

  async show(principal: Principal, sessionId: string, messages = RECENT): Promise<SessionDetails> {
    const { store, sessions } = this.#deps;
    const view = await this.find(principal, sessionId);
    const recent: Message[] = [];
    const plans: TaskRow[] = [];
    let tasks = 0;
    let waiting = 0;
    for await (const row of tasksOf(store, view.session)) {
      if (row.kind === "plan") {
        if (plans.length < RECENT) plans.push(row);
        continue;
      }
      tasks += 1;
      if (row.state === "submitted" || row.state === "working") waiting += 1;
      if (recent.length >= messages) continue;
      const snapshot = await store.snapshot(row.taskId, { artifacts: true });
      if (snapshot !== undefined) recent.unshift(...saidIn(snapshot));
    }
    const record = await sessions.record(sessionId);
    if (recent.length < messages) recent.unshift(...saidElsewhere(record));
    return { ...view, recent: recent.slice(-messages), tasks, waiting, plans, record };
  }

  async list(
    principal: Principal,
    page: { readonly limit: number; readonly cursor?: SessionCursor | undefined },
  ): Promise<{
    readonly sessions: readonly SessionView[];
    readonly next: SessionCursor | undefined;
    readonly total: number;
  }> {
    const { sessions, next, total } = await this.#deps.sessions.list({ principal: principal.id, ...page });
    return { sessions: sessions.map((session) => this.#view(session)), next, total };
  }

  /**
   * Closes a session; closing it again changes nothing. What is said in it and not answered is cancelled; its plans go
   * on without it, or are cancelled. It is `closing` as long as that takes, and the caller does not wait for longer than
   * seconds: what is left is ended by itself, also when the process dies.
   */
  async close(
    principal: Principal,
    sessionId: string,
    plans: ClosingPlans = "detach",
  ): Promise<SessionView & Ended> {
    const { sessions, closer, clock, closeWithinMs = CLOSE_WITHIN_MS } = this.#deps;
    let { session } = await this.find(principal, sessionId);
    while (takesWork(session)) {
      const closing = closingSession(session, clock.now(), plans);
      if (await sessions.replace(session, closing)) session = closing;
      else ({ session } = await this.find(principal, sessionId));
    }
    const nothing: Ended = { cancelled: [], detached: [] };
    if (session.status === "closed") return { ...this.#view(session), ...nothing };
    const ended = await within(closeWithinMs, closer.settle(session));
    return { ...(await this.find(principal, sessionId)), ...(ended ?? nothing) };
  }

  /**
   * Deletes a session and all that was said in it; its plans stay, and are nobody's session's. Throws
   * `SessionStateError` for one that is not closed, or has plans that are not over, unless it is forced: then it is
   * closed, and they are cancelled. A plan whose changes are being written is in the way of both.
   */
  async delete(
    principal: Principal,
    sessionId: string,
    force: boolean,
  ): Promise<{ readonly messages: number; readonly orphans: readonly string[] }> {
    const { sessions, store, closer } = this.#deps;
    const { session } = await this.find(principal, sessionId);
    if (!force && session.status !== "closed")
      throw new SessionStateError(session, "close it first, or force it");
    if (force && session.status !== "closed") await this.close(principal, sessionId, "cancel");
    if (force) await closer.end(session, true);
    const left: string[] = [];
    for await (const { taskId } of unfinished(store, session, "plan")) left.push(taskId);
    const now = await this.find(principal, sessionId);
    if (left.length > 0)
      throw new SessionStateError(now.session, "plans of it are not over; apply or cancel them", left);
    if (now.session.status !== "closed")
      throw new SessionStateError(now.session, "it is still closing; try again");
    let messages = 0;
    for await (const { taskId } of tasksOf(store, session, "message")) {
      messages += (await store.snapshot(taskId, { artifacts: false }))?.history.length ?? 0;
      await store.remove(taskId);
    }
    const orphans: string[] = [];
    for await (const { taskId } of tasksOf(store, session, "plan")) orphans.push(taskId);
    // Last, so that a process that dies before leaves a session that can be deleted again.
    await sessions.remove(sessionId);
    return { messages, orphans };
  }

  /** What the session is and what was said in it, as a document with a checksum. */
  async export(principal: Principal, sessionId: string): Promise<JsonObject> {
    const { session } = await this.find(principal, sessionId);
    return exportSession(this.#deps, session);
  }

  /**
   * Makes a session of an exported document, whole or not at all. Where the id is taken the session gets another one,
   * or with `refuse` it is a `SessionExistsError`.
   */
  async import(
    principal: Principal,
    document: JsonObject,
    request: {
      readonly actor?: string | undefined;
      readonly name?: string | undefined;
      readonly refuse: boolean;
    },
  ): Promise<Imported & { readonly session: Session }> {
    const { sessions, ids } = this.#deps;
    const imported = await importedSession(document);
    const named = request.actor ?? imported.actor;
    const actor = named === undefined ? undefined : await this.#actorOf(named);
    const taken = !request.refuse && (await sessions.find(imported.sessionId)) !== undefined;
    const session = this.#new(principal, {
      sessionId: taken ? ids.next() : imported.sessionId,
      actor,
      name: request.name ?? imported.name,
      budget: imported.budget,
      metadata: imported.metadata,
    });
    await sessions.insert(session, imported.record, this.#places());
    return { ...imported, session };
  }

  #new(
    principal: Principal,
    { sessionId, actor, name, budget, metadata }: NewSession & { readonly sessionId: string },
  ): Session {
    const now = this.#deps.clock.now();
    return {
      sessionId,
      principal: principal.id,
      status: "created",
      createdAt: now,
      updatedAt: now,
      ...(actor === undefined ? {} : { actor }),
      ...(name === undefined ? {} : { name }),
      ...(budget === undefined ? {} : { budget }),
      ...(metadata === undefined ? {} : { metadata }),
    };
  }

  #view(session: Session): SessionView {
    return { session, state: sessionState(session, this.#deps.clock.now(), this.#timeoutMs) };
  }

  #places(): SessionPlaces {
    const { clock, maxSessions = MAX_SESSIONS } = this.#deps;
    return { atMost: maxSessions, usedAfter: clock.now() - this.#timeoutMs };
  }

  async #actorOf(name: string): Promise<string> {
    const { registry, actors } = this.#deps;
    if (isProviderActor(name)) return name;
    const full = canonicalName(name);
    if ((await registry.find("actor", full)) !== undefined) {
      const why = await (await actors?.find(full))?.unfit?.();
      if (why !== undefined)
        throw new ProtocolError("InvalidParams", {
          message: `${full} cannot answer in a session: ${why}`,
          violations: [{ field: "actor", description: why }],
        });
      return full;
    }
    if ((await registry.find("action", full))?.document["script"] !== undefined) return full;
    if ((await actors?.find(name)) !== undefined) return name;
    throw new EntryNotFoundError(
      "actor",
      full,
      (await registry.list("actor")).map((known) => known.name),
    );
  }
}

/** What comes of a promise, or undefined when it takes longer; it goes on, and a failure of it is then nobody's. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
