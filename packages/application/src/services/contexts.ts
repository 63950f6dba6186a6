import { SessionNotFoundError } from "@cleveragents/domain";
import type { Principal } from "@cleveragents/protocol";
import type { IdGenerator } from "../ports/clock.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { TaskStore } from "../ports/task-store.ts";
import { mayUse } from "./access.ts";

export interface ContextDeps {
  readonly store: TaskStore;
  readonly sessions: SessionStore;
  readonly ids: IdGenerator;
}

/** An open session of the caller's, or the context of an earlier task of theirs (A2A §3.4.3), or a new context. */
export async function knownContext(
  deps: ContextDeps,
  principal: Principal,
  given: string | undefined,
): Promise<string> {
  const context = await anyContext(deps, principal, given);
  if (given === undefined || given === "" || (await deps.sessions.find(given)) !== undefined) return context;
  const { total } = await deps.store.list({ principal: principal.id, contextId: given, limit: 1 });
  if (total === 0) throw new SessionNotFoundError(given);
  return context;
}

/** The same, and besides any id that a client has chosen for a new context (A2A §3.4.1), unless it is a session's. */
export async function anyContext(
  deps: Pick<ContextDeps, "sessions" | "ids">,
  principal: Principal,
  given: string | undefined,
): Promise<string> {
  if (given === undefined || given === "") return deps.ids.next();
  const session = await deps.sessions.find(given);
  if (session !== undefined && !(mayUse(principal, session) && session.status === "open"))
    throw new SessionNotFoundError(given);
  return given;
}
