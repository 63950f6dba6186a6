import { SessionNotFoundError } from "@cleveragents/domain";
import type { Principal } from "@cleveragents/protocol";
import type { SessionStore } from "../ports/session-store.ts";
import type { TaskRow, TaskStore } from "../ports/task-store.ts";
import { mayUse, ownPlan, ownTask } from "./access.ts";
import { planOfAlias } from "./plan-alias.ts";

/** Whose events: of one of them, or everything of the caller's. */
export interface EventTarget {
  readonly planId?: string | undefined;
  readonly taskId?: string | undefined;
  readonly sessionId?: string | undefined;
}

interface Stores {
  readonly store: TaskStore;
  readonly sessions: SessionStore;
}

/** The one task that is meant, if it is one. Throws the domain's not-found errors, for what is somebody else's too. */
export async function taskOfTarget(
  { store }: Pick<Stores, "store">,
  principal: Principal,
  { planId, taskId }: EventTarget,
): Promise<TaskRow | undefined> {
  if (planId !== undefined) {
    const own = (await planOfAlias(store, principal, planId)) ?? planId;
    return (await ownPlan(store, principal, own)).row;
  }
  return taskId === undefined ? undefined : ownTask(store, principal, taskId);
}

/** A session of the caller's, closed ones too, or the context of a task of theirs; else `SessionNotFoundError`. */
export async function assertContext(
  { store, sessions }: Stores,
  principal: Principal,
  sessionId: string,
): Promise<void> {
  const session = await sessions.find(sessionId);
  if (session !== undefined && mayUse(principal, session)) return;
  const { total } = await store.list({ principal: principal.id, contextId: sessionId, limit: 1 });
  if (total === 0) throw new SessionNotFoundError(sessionId);
}
