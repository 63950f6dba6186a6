import type { SessionStore } from "@cleveragents/application";
import { type Session, SessionNotFoundError } from "@cleveragents/domain";
import type { SessionsTable } from "../schema/tables.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

/** Sessions in a SQLite file; each change is a transaction of its own. */
export class SqliteSessionStore implements SessionStore {
  readonly #connection: SqliteConnection;

  constructor(deps: { readonly connection: SqliteConnection }) {
    this.#connection = deps.connection;
  }

  async create(session: Session): Promise<Session> {
    await this.#connection.queries
      .insertInto("sessions")
      .values(toColumns(session))
      .onConflict((oc) => oc.column("session_id").doNothing())
      .execute();
    const there = await this.find(session.sessionId);
    if (there === undefined) throw new SessionNotFoundError(session.sessionId);
    return there;
  }

  async find(sessionId: string): Promise<Session | undefined> {
    const row = await this.#connection.queries
      .selectFrom("sessions")
      .selectAll()
      .where("session_id", "=", sessionId)
      .executeTakeFirst();
    return row && toSession(row);
  }

  /** Throws `SessionNotFoundError`. A session that is closed already stays as it is. */
  async close(sessionId: string, at: number): Promise<void> {
    const { numUpdatedRows } = await this.#connection.queries
      .updateTable("sessions")
      .set({ status: "closed", updated_at: at })
      .where("session_id", "=", sessionId)
      .where("status", "=", "open")
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n && (await this.find(sessionId)) === undefined)
      throw new SessionNotFoundError(sessionId);
  }

  async list(principal: string): Promise<readonly Session[]> {
    const rows = await this.#connection.queries
      .selectFrom("sessions")
      .selectAll()
      .where("principal", "=", principal)
      .orderBy("created_at", "desc")
      .orderBy("session_id", "desc")
      .execute();
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
