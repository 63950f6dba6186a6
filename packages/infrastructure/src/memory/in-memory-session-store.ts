import type { SessionPage, SessionPlaces, SessionQuery, SessionStore } from "@cleveragents/application";
import {
  type JsonObject,
  type Session,
  SessionExistsError,
  TooManySessionsError,
  takesWork,
} from "@cleveragents/domain";

/** Sessions of one process, gone with it. Keeps text, like a database: nothing that goes in or out is shared. */
export class InMemorySessionStore implements SessionStore {
  readonly #sessions = new Map<string, { readonly session: string; readonly record?: string }>();

  async create(session: Session, places?: SessionPlaces): Promise<Session> {
    const there = this.#find(session.sessionId);
    if (there !== undefined) return there;
    this.#assertPlace(session.principal, places);
    this.#sessions.set(session.sessionId, { session: JSON.stringify(session) });
    return copyOf(session);
  }

  async insert(session: Session, record: JsonObject, places?: SessionPlaces): Promise<void> {
    if (this.#sessions.has(session.sessionId)) throw new SessionExistsError(session.sessionId);
    this.#assertPlace(session.principal, places);
    this.#sessions.set(session.sessionId, {
      session: JSON.stringify(session),
      record: JSON.stringify(record),
    });
  }

  async find(sessionId: string): Promise<Session | undefined> {
    return this.#find(sessionId);
  }

  async record(sessionId: string): Promise<JsonObject | undefined> {
    const text = this.#sessions.get(sessionId)?.record;
    return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
  }

  async replace(before: Session, after: Session): Promise<boolean> {
    const kept = this.#sessions.get(before.sessionId);
    const there = this.#find(before.sessionId);
    if (kept === undefined || there === undefined) return false;
    if (there.status !== before.status || there.turn !== before.turn || there.updatedAt !== before.updatedAt)
      return false;
    this.#sessions.set(before.sessionId, { ...kept, session: JSON.stringify(after) });
    return true;
  }

  async list({ principal, limit, cursor }: SessionQuery): Promise<SessionPage> {
    const all = this.#all()
      .filter((session) => session.principal === principal)
      .sort(newestFirst);
    const rest = cursor === undefined ? all : all.filter((session) => newestFirst(cursor, session) < 0);
    const sessions = rest.slice(0, limit);
    const last = sessions.at(-1);
    return {
      sessions,
      total: all.length,
      ...(last && rest.length > limit && { next: { createdAt: last.createdAt, sessionId: last.sessionId } }),
    };
  }

  async using(actor: string): Promise<number> {
    return this.#all().filter((session) => session.actor === actor && takesWork(session)).length;
  }

  async closing(): Promise<readonly Session[]> {
    return this.#all().filter(({ status }) => status === "closing");
  }

  async remove(sessionId: string): Promise<boolean> {
    return this.#find(sessionId)?.status === "closed" && this.#sessions.delete(sessionId);
  }

  #find(sessionId: string): Session | undefined {
    const kept = this.#sessions.get(sessionId);
    return kept && (JSON.parse(kept.session) as Session);
  }

  #all(): Session[] {
    return [...this.#sessions.values()].map(({ session }) => JSON.parse(session) as Session);
  }

  #assertPlace(principal: string, places: SessionPlaces | undefined): void {
    if (places === undefined) return;
    const used = this.#all().filter(
      (session) =>
        session.principal === principal && takesWork(session) && session.updatedAt > places.usedAfter,
    );
    if (used.length >= places.atMost) throw new TooManySessionsError(places.atMost);
  }
}

type Placed = Pick<Session, "createdAt" | "sessionId">;

function newestFirst(a: Placed, b: Placed): number {
  return b.createdAt - a.createdAt || (a.sessionId < b.sessionId ? 1 : a.sessionId > b.sessionId ? -1 : 0);
}

function copyOf(session: Session): Session {
  return JSON.parse(JSON.stringify(session)) as Session;
}
