import type { JsonObject, Session } from "@cleveragents/domain";

/** How many of a principal's sessions may be in use: those that are not closed and were used after `usedAfter`. */
export interface SessionPlaces {
  readonly atMost: number;
  readonly usedAfter: number;
}

export interface SessionQuery {
  readonly principal: string;
  readonly limit: number;
  /** What the previous page gave as `next`. */
  readonly cursor?: SessionCursor | undefined;
}
export interface SessionCursor {
  readonly createdAt: number;
  readonly sessionId: string;
}
export interface SessionPage {
  /** Newest first, then by id, descending. */
  readonly sessions: readonly Session[];
  readonly next?: SessionCursor;
  /** How many the principal has. */
  readonly total: number;
}

/** What happens in a session is in the `TaskStore`, under its id as context; here is what it is. */
export interface SessionStore {
  /**
   * Keeps the session; if the id is there already, answers the one that is there and changes nothing. With `places`,
   * throws `TooManySessionsError` for a new one that has none. They are counted in the same statement; where several
   * servers share a database, sessions that begin in the same instant may be too many by as many.
   */
  create(session: Session, places?: SessionPlaces): Promise<Session>;
  /** Keeps a session with a record of what was said elsewhere, both or nothing. `SessionExistsError` if the id is there. */
  insert(session: Session, record: JsonObject, places?: SessionPlaces): Promise<void>;
  find(sessionId: string): Promise<Session | undefined>;
  /** The record that it was inserted with. */
  record(sessionId: string): Promise<JsonObject | undefined>;
  /** Puts `after` in the place of `before`; false, and nothing is changed, if it is not as `before` any more. */
  replace(before: Session, after: Session): Promise<boolean>;
  list(query: SessionQuery): Promise<SessionPage>;
  /** How many of all principals' sessions name the actor and take work. */
  using(actor: string): Promise<number>;
  /** Those whose closing has begun and not ended. */
  closing(): Promise<readonly Session[]>;
  /** Removes a session that is closed, with its record; false if there is none. */
  remove(sessionId: string): Promise<boolean>;
}
