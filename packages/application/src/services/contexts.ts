import { type Session, SessionNotFoundError, takesWork, usedSession } from "@cleveragents/domain";
import type { Principal } from "@cleveragents/protocol";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { TaskStore } from "../ports/task-store.ts";
import { mayUse } from "./access.ts";

/** How old the time of a session's last use may be before it is written anew. */
const NOTED_MS = 60_000;

export interface ContextDeps {
  readonly store: TaskStore;
  readonly sessions: SessionStore;
  readonly clock: Clock;
  readonly ids: IdGenerator;
}

/** Where something is done: a session of the caller's, or a context that is none. */
export interface Context {
  readonly contextId: string;
  readonly session?: Session;
}

/**
 * A session of the caller's that takes work, which is in use from now on; or the context of an earlier task of theirs
 * (A2A §3.4.3), or a new context.
 */
export async function knownContext(
  deps: ContextDeps,
  principal: Principal,
  given: string | undefined,
): Promise<string> {
  const { contextId, session } = await anyContext(deps, principal, given);
  if (session !== undefined) await noteUse(deps, session);
  if (given === undefined || given === "" || session !== undefined) return contextId;
  const { total } = await deps.store.list({ principal: principal.id, contextId: given, limit: 1 });
  if (total === 0) throw new SessionNotFoundError(given);
  return contextId;
}

/** The same, and besides any id that a client has chosen for a new context (A2A §3.4.1), unless it is a session's. */
export async function anyContext(
  deps: Pick<ContextDeps, "sessions" | "ids">,
  principal: Principal,
  given: string | undefined,
): Promise<Context> {
  if (given === undefined || given === "") return { contextId: deps.ids.next() };
  const session = await deps.sessions.find(given);
  if (session === undefined) return { contextId: given };
  if (!mayUse(principal, session) || !takesWork(session)) throw new SessionNotFoundError(given);
  return { contextId: given, session };
}

/** A session that begins to close meanwhile takes nothing more: `SessionNotFoundError`, as a moment later. */
async function noteUse({ sessions, clock }: ContextDeps, found: Session): Promise<void> {
  let session: Session | undefined = found;
  while (session !== undefined && takesWork(session)) {
    const now = clock.now();
    if (session.status === "active" && now - session.updatedAt < NOTED_MS) return;
    if (await sessions.replace(session, usedSession(session, now))) return;
    session = await sessions.find(found.sessionId);
  }
  throw new SessionNotFoundError(found.sessionId);
}
