import { FencedError, type Plan, TaskNotFoundError, TaskStateError } from "@cleveragents/domain";
import type { InboxEntry, TaskStore } from "../../ports/task-store.ts";
import { CHILD } from "./child-plans.ts";

/**
 * Puts word of a plan into the inbox of the one that has started it, once for each time that it asks and once for its end,
 * and wakes that one. What is in the inbox survives; a wake-up may be lost.
 */
export async function tellParent(
  {
    store,
    wake,
  }: { readonly store: Pick<TaskStore, "commit">; readonly wake: (planId: string) => Promise<void> },
  { planId, parent, open }: Plan,
  ended: boolean,
): Promise<void> {
  if (parent === undefined || (!ended && open === undefined)) return;
  const said = ended ? "ended" : `asks:${open?.requestId ?? ""}`;
  const entry: InboxEntry = { key: `${CHILD}${planId}:${said}`, body: {} };
  try {
    await store.commit({ taskId: parent.planId, inbox: { add: [entry] } });
  } catch (error) {
    // One that is over, or was lost, has nothing to go on with.
    if (
      !(error instanceof TaskStateError || error instanceof TaskNotFoundError || error instanceof FencedError)
    )
      throw error;
    return;
  }
  await wake(parent.planId);
}
