import type { SessionStore } from "@cleveragents/application";
import { type Session, SessionNotFoundError } from "@cleveragents/domain";
import type { StoreQueries } from "./store-queries.ts";
import type { SessionsTable } from "./tables.ts";

/** Sessions in a database; each change is a transaction of its own. */
export class StoredSessions implements SessionStore {
  readonly #database: StoreQueries;

  constructor(database: StoreQueries) {
    this.#database = database;
  }

  async create(session: Session): Promise<Session> {
    await this.#database.change(
      this.#database.queries
        .insertInto("sessions")
        .values(toColumns(session))
        .onConflict((oc) => oc.column("session_id").doNothing()),
    );
    const there = await this.find(session.sessionId);
    if (there === undefined) throw new SessionNotFoundError(session.sessionId);
    return there;
  }

  async find(sessionId: string): Promise<Session | undefined> {
    const [row] = await this.#database.rows(
      this.#database.queries.selectFrom("sessions").selectAll().where("session_id", "=", sessionId),
    );
    return row && toSession(row);
  }

  /** Throws `SessionNotFoundError`. A session that is closed already stays as it is. */
  async close(sessionId: string, at: number): Promise<void> {
    const { changed } = await this.#database.change(
      this.#database.queries
        .updateTable("sessions")
        .set({ status: "closed", updated_at: at })
        .where("session_id", "=", sessionId)
        .where("status", "=", "open"),
    );
    if (changed === 0 && (await this.find(sessionId)) === undefined)
      throw new SessionNotFoundError(sessionId);
  }

  async list(principal: string): Promise<readonly Session[]> {
    const rows = await this.#database.rows(
      this.#database.queries
        .selectFrom("sessions")
        .selectAll()
        .where("principal", "=", principal)
        .orderBy("created_at", "desc")
        .orderBy("session_id", "desc"),
    );
    return rows.map(toSession);
  }
}

function toColumns({
  sessionId,
  principal,
  actor,
  name,
  status,
  createdAt,
  updatedAt,
}: Session): SessionsTable {
  return {
    session_id: sessionId,
    principal,
    actor: actor ?? null,
    name: name ?? null,
    status,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

function toSession({
  session_id,
  principal,
  actor,
  name,
  status,
  created_at,
  updated_at,
}: SessionsTable): Session {
  return {
    sessionId: session_id,
    principal,
    ...(actor !== null && { actor }),
    ...(name !== null && { name }),
    status,
    createdAt: created_at,
    updatedAt: updated_at,
  };
}
