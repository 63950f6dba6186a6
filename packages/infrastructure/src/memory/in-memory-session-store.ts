import type { SessionStore } from "@cleveragents/application";
import { type Session, SessionNotFoundError } from "@cleveragents/domain";

/** Sessions of one process, gone with it. */
export class InMemorySessionStore implements SessionStore {
  readonly #sessions = new Map<string, Session>();

  async create(session: Session): Promise<Session> {
    const there = this.#sessions.get(session.sessionId);
    if (there !== undefined) return { ...there };
    this.#sessions.set(session.sessionId, { ...session });
    return { ...session };
  }

  async find(sessionId: string): Promise<Session | undefined> {
    const session = this.#sessions.get(sessionId);
    return session && { ...session };
  }

  /** Throws `SessionNotFoundError`. A session that is closed already stays as it is. */
  async close(sessionId: string, at: number): Promise<void> {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw new SessionNotFoundError(sessionId);
    if (session.status === "open")
      this.#sessions.set(sessionId, { ...session, status: "closed", updatedAt: at });
  }

  async list(principal: string): Promise<readonly Session[]> {
    return [...this.#sessions.values()]
      .filter((session) => session.principal === principal)
      .sort((a, b) => b.createdAt - a.createdAt || (a.sessionId < b.sessionId ? 1 : -1))
      .map((session) => ({ ...session }));
  }
}
