import type { SessionPage, SessionPlaces, SessionQuery, SessionStore } from "@cleveragents/application";
import {
  type JsonObject,
  type Session,
  SessionExistsError,
  TooManySessionsError,
} from "@cleveragents/domain";
import { sql } from "kysely";
import type { Changed, StoreQueries } from "./store-queries.ts";
import type { SessionsTable } from "./tables.ts";

/** All but the record, which may be long and is read by itself. */
const COLUMNS = [
  "session_id",
  "principal",
  "actor",
  "name",
  "status",
  "created_at",
  "updated_at",
  "document",
  "turn_task",
] as const;
type SessionRow = Pick<SessionsTable, (typeof COLUMNS)[number]>;

/** Sessions in a database; each change is one statement, and so a transaction of its own. */
export class StoredSessions implements SessionStore {
  readonly #database: StoreQueries;

  constructor(database: StoreQueries) {
    this.#database = database;
  }

  async create(session: Session, places?: SessionPlaces): Promise<Session> {
    await this.#add(session, null, places);
    const there = await this.find(session.sessionId);
    if (there === undefined) throw new TooManySessionsError(places?.atMost ?? 0);
    return there;
  }

  async insert(session: Session, record: JsonObject, places?: SessionPlaces): Promise<void> {
    const { changed, repeated } = await this.#add(session, JSON.stringify(record), places);
    if (changed === 1) return;
    const there = await this.find(session.sessionId);
    if (there === undefined) throw new TooManySessionsError(places?.atMost ?? 0);
    // The answer to a first attempt may have been lost; then what is there is that attempt's.
    const own = there.principal === session.principal && there.createdAt === session.createdAt;
    if (!repeated || !own) throw new SessionExistsError(session.sessionId);
  }

  /** Adds a row if its id is new and there is a place. */
  async #add(session: Session, record: string | null, places: SessionPlaces | undefined): Promise<Changed> {
    const { queries } = this.#database;
    const row = toColumns(session);
    // A select needs to be told of which type its parameters are.
    const text = (value: string | null) => sql<string>`cast(${value} as text)`;
    const integer = (value: number) => sql<number>`cast(${value} as bigint)`;
    const used = queries
      .selectFrom("sessions")
      .select(({ fn }) => fn.countAll<number>().as("used"))
      .where("principal", "=", row.principal)
      .where("status", "in", ["created", "active"])
      .where("updated_at", ">", places?.usedAfter ?? 0);
    const free =
      places === undefined ? sql<boolean>`1 = 1` : sql<boolean>`(${used}) < ${integer(places.atMost)}`;
    return this.#database.change(
      queries
        .insertInto("sessions")
        .columns([...COLUMNS, "record"])
        .expression(
          queries
            .selectNoFrom([
              text(row.session_id).as("session_id"),
              text(row.principal).as("principal"),
              text(row.actor).as("actor"),
              text(row.name).as("name"),
              text(row.status).as("status"),
              integer(row.created_at).as("created_at"),
              integer(row.updated_at).as("updated_at"),
              text(row.document).as("document"),
              text(row.turn_task).as("turn_task"),
              text(record).as("record"),
            ])
            .where(free),
        )
        .onConflict((oc) => oc.column("session_id").doNothing()),
    );
  }

  async find(sessionId: string): Promise<Session | undefined> {
    const [row] = await this.#database.rows(
      this.#database.queries.selectFrom("sessions").select(COLUMNS).where("session_id", "=", sessionId),
    );
    return row && toSession(row);
  }

  async record(sessionId: string): Promise<JsonObject | undefined> {
    const [row] = await this.#database.rows(
      this.#database.queries.selectFrom("sessions").select("record").where("session_id", "=", sessionId),
    );
    return row?.record ? (JSON.parse(row.record) as JsonObject) : undefined;
  }

  async replace(before: Session, after: Session): Promise<boolean> {
    const { status, updated_at, document, turn_task, actor, name } = toColumns(after);
    const { changed, repeated } = await this.#database.change(
      this.#database.queries
        .updateTable("sessions")
        .set({ status, updated_at, document, turn_task, actor, name })
        .where("session_id", "=", before.sessionId)
        .where("status", "=", before.status)
        .where("updated_at", "=", before.updatedAt)
        .where("turn_task", before.turn === undefined ? "is" : "=", before.turn ?? null),
    );
    if (changed > 0 || !repeated) return changed > 0;
    const there = await this.find(before.sessionId);
    return there?.status === after.status && there.turn === after.turn && there.updatedAt === after.updatedAt;
  }

  async list({ principal, limit, cursor }: SessionQuery): Promise<SessionPage> {
    const { queries } = this.#database;
    let page = queries.selectFrom("sessions").select(COLUMNS).where("principal", "=", principal);
    if (cursor !== undefined)
      page = page.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("created_at", "session_id"), "<", tuple(cursor.createdAt, cursor.sessionId)),
      );
    const rows = await this.#database.rows(
      page
        .orderBy("created_at", "desc")
        .orderBy("session_id", "desc")
        .limit(limit + 1),
    );
    const [count] = await this.#database.rows(
      queries
        .selectFrom("sessions")
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .where("principal", "=", principal),
    );
    const sessions = rows.slice(0, limit).map(toSession);
    const last = sessions.at(-1);
    return {
      sessions,
      total: Number(count?.total ?? 0),
      ...(last && rows.length > limit && { next: { createdAt: last.createdAt, sessionId: last.sessionId } }),
    };
  }

  async using(actor: string): Promise<number> {
    const [row] = await this.#database.rows(
      this.#database.queries
        .selectFrom("sessions")
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .where("actor", "=", actor)
        .where("status", "in", ["created", "active"]),
    );
    return Number(row?.total ?? 0);
  }

  async closing(): Promise<readonly Session[]> {
    const rows = await this.#database.rows(
      this.#database.queries.selectFrom("sessions").select(COLUMNS).where("status", "=", "closing"),
    );
    return rows.map(toSession);
  }

  async remove(sessionId: string): Promise<boolean> {
    const { changed, repeated } = await this.#database.change(
      this.#database.queries
        .deleteFrom("sessions")
        .where("session_id", "=", sessionId)
        .where("status", "=", "closed"),
    );
    return changed > 0 || (repeated && (await this.find(sessionId)) === undefined);
  }
}

/** What few sessions have, and nobody asks for by. */
type SessionDocument = Pick<Session, "budget" | "metadata" | "closing">;

function toColumns({
  sessionId,
  principal,
  actor,
  name,
  status,
  createdAt,
  updatedAt,
  turn,
  ...document
}: Session): SessionRow {
  return {
    session_id: sessionId,
    principal,
    actor: actor ?? null,
    name: name ?? null,
    status,
    created_at: createdAt,
    updated_at: updatedAt,
    document: Object.keys(document).length === 0 ? null : JSON.stringify(document),
    turn_task: turn ?? null,
  };
}

function toSession(row: SessionRow): Session {
  const document = row.document === null ? {} : (JSON.parse(row.document) as SessionDocument);
  return {
    sessionId: row.session_id,
    principal: row.principal,
    ...(row.actor !== null && { actor: row.actor }),
    ...(row.name !== null && { name: row.name }),
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...document,
    ...(row.turn_task !== null && { turn: row.turn_task }),
  };
}
