import type { TaskStore } from "../ports/task-store.ts";

/** Under which name a caller's own id for a plan is claimed, once per caller; no client gives messages such ids. */
export function aliasKey(alias: string): string {
  return `urn:cleveragents:plan-id:${alias}`;
}

/** The plan that a caller has given this id; undefined if there is none. */
export function planOfAlias(
  store: Pick<TaskStore, "taskOfMessage">,
  principal: { readonly id: string },
  alias: string,
): Promise<string | undefined> {
  return store.taskOfMessage(principal.id, aliasKey(alias));
}
