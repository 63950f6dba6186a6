import type { BudgetLimits } from "../policy/budget.ts";
import type { JsonObject } from "../task/message.ts";

/** What a session is, as it is shown. It is never kept that a session is suspended: that follows from the clock. */
export const SESSION_STATES = ["created", "active", "suspended", "closing", "closed"] as const;
export type SessionState = (typeof SESSION_STATES)[number];
export type KeptSessionState = Exclude<SessionState, "suspended">;

/** What becomes of plans that are not over when their session is closed: they go on without it, or are cancelled. */
export type ClosingPlans = "detach" | "cancel";

/** A session is an A2A context: what happens in it shares the context id, which is the session's id. */
export interface Session {
  readonly sessionId: string;
  readonly principal: string;
  /** Who answers its messages; the agent's own where it names nobody. */
  readonly actor?: string;
  readonly name?: string;
  readonly status: KeptSessionState;
  readonly createdAt: number;
  /** When it was used or changed last. */
  readonly updatedAt: number;
  /** What all that is done in it may use up together. */
  readonly budget?: BudgetLimits;
  readonly metadata?: JsonObject;
  /** Said when it began to close. */
  readonly closing?: ClosingPlans;
  /** The task whose turn it is, or was last: messages of a session are answered one after the other. */
  readonly turn?: string;
}

/** What a session is at a moment: one that nobody has used for so long is suspended until somebody does. */
export function sessionState({ status, updatedAt }: Session, now: number, timeoutMs: number): SessionState {
  const idle = (status === "created" || status === "active") && now - updatedAt >= timeoutMs;
  return idle ? "suspended" : status;
}

export function takesWork({ status }: Pick<Session, "status">): boolean {
  return status === "created" || status === "active";
}

/** The session when something is done in it. Throws `SessionStateError` for one that closes or is closed. */
export function usedSession(session: Session, at: number): Session {
  if (!takesWork(session)) throw new SessionStateError(session, "it takes nothing new; open another session");
  return { ...session, status: "active", updatedAt: Math.max(at, session.updatedAt) };
}

/** The session when it begins to close. One that closes already, or is closed, stays as it is. */
export function closingSession(session: Session, at: number, plans: ClosingPlans): Session {
  if (!takesWork(session)) return session;
  return { ...session, status: "closing", closing: plans, updatedAt: Math.max(at, session.updatedAt) };
}

/** The session when nothing of it is left to end. Throws `SessionStateError` for one that has not begun to close. */
export function closedSession(session: Session, at: number): Session {
  if (session.status === "closed") return session;
  if (session.status !== "closing") throw new SessionStateError(session, "it has not begun to close");
  return { ...session, status: "closed", updatedAt: Math.max(at, session.updatedAt) };
}

export class SessionNotFoundError extends Error {
  override readonly name = "SessionNotFoundError";
  readonly sessionId: string;
  constructor(sessionId: string) {
    super(`no session ${sessionId}`);
    this.sessionId = sessionId;
  }
}

/** A session is in a state in which this cannot be done. */
export class SessionStateError extends Error {
  override readonly name = "SessionStateError";
  readonly sessionId: string;
  readonly status: KeptSessionState;
  readonly why: string;
  /** Plans that stand in the way. */
  readonly plans: readonly string[];
  constructor(
    { sessionId, status }: Pick<Session, "sessionId" | "status">,
    why: string,
    plans: readonly string[] = [],
  ) {
    super(`session ${sessionId} is ${status}: ${why}`);
    this.sessionId = sessionId;
    this.status = status;
    this.why = why;
    this.plans = plans;
  }
}

/** As many messages of a session wait as may. */
export class SessionBusyError extends Error {
  override readonly name = "SessionBusyError";
  readonly sessionId: string;
  readonly waiting: number;
  constructor(sessionId: string, waiting: number) {
    super(`${waiting} messages of session ${sessionId} are not answered yet`);
    this.sessionId = sessionId;
    this.waiting = waiting;
  }
}

export class SessionExistsError extends Error {
  override readonly name = "SessionExistsError";
  readonly sessionId: string;
  constructor(sessionId: string) {
    super(`there is a session ${sessionId} already`);
    this.sessionId = sessionId;
  }
}

/** A caller has as many sessions in use as they may. */
export class TooManySessionsError extends Error {
  override readonly name = "TooManySessionsError";
  readonly limit: number;
  constructor(limit: number) {
    super(`no more than ${limit} sessions may be in use at a time`);
    this.limit = limit;
  }
}
