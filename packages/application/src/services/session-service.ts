import { type Session, SessionNotFoundError } from "@cleveragents/domain";
import type { Principal } from "@cleveragents/protocol";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { SessionStore } from "../ports/session-store.ts";
import { mayUse } from "./access.ts";

export class SessionService {
  readonly #sessions: SessionStore;
  readonly #clock: Clock;
  readonly #ids: IdGenerator;

  constructor(deps: { readonly sessions: SessionStore; readonly clock: Clock; readonly ids: IdGenerator }) {
    this.#sessions = deps.sessions;
    this.#clock = deps.clock;
    this.#ids = deps.ids;
  }

  /** Opens a session. With an id that the caller has already it answers that one; with somebody else's, `SessionNotFoundError`. */
  async create(principal: Principal, request: { readonly sessionId?: string | undefined; readonly actor?: string | undefined; readonly name?: string | undefined }): Promise<Session> {
    const now = this.#clock.now();
    const session = await this.#sessions.create({
      sessionId: request.sessionId ?? this.#ids.next(),
      principal: principal.id,
      status: "open",
      createdAt: now,
      updatedAt: now,
      ...(request.actor === undefined ? {} : { actor: request.actor }),
      ...(request.name === undefined ? {} : { name: request.name }),
    });
    if (!mayUse(principal, session)) throw new SessionNotFoundError(session.sessionId);
    return session;
  }

  /** Closes a session; closing it again changes nothing. */
  async close(principal: Principal, sessionId: string): Promise<void> {
    const session = await this.#sessions.find(sessionId);
    if (session === undefined || !mayUse(principal, session)) throw new SessionNotFoundError(sessionId);
    if (session.status === "open") await this.#sessions.close(sessionId, this.#clock.now());
  }

  async list(principal: Principal): Promise<readonly Session[]> {
    return this.#sessions.list(principal.id);
  }
}
