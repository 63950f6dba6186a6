import { isTerminal } from "@cleveragents/domain";
import type { TaskStore } from "../ports/task-store.ts";

const POLL_MS = 2000;
/** A plan's own output wakes its watchers too, and need not be looked at more often than this. */
const AT_MOST_EVERY_MS = 100;

/**
 * Calls `lost` once a task is over or its epoch has passed: cancelled, or taken over, be it by another process. Looks
 * after every wake-up, and besides every two seconds. Returns the way to stop.
 */
export function whenLost(
  store: Pick<TaskStore, "load" | "watch">,
  taskId: string,
  epoch: number,
  lost: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = Number.POSITIVE_INFINITY;
  let ended = false;
  const look = async (): Promise<void> => {
    due = Number.POSITIVE_INFINITY;
    // A store that cannot be asked now is asked again.
    const row = await store.load(taskId).catch(() => undefined);
    if (ended) return;
    if (row !== undefined && (row.epoch !== epoch || isTerminal(row.state))) return void lost();
    lookIn(POLL_MS);
  };
  const lookIn = (ms: number): void => {
    const at = performance.now() + ms;
    if (ended || at >= due) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(look, ms);
    timer.unref?.();
  };
  const unwatch = store.watch(taskId, () => lookIn(AT_MOST_EVERY_MS));
  lookIn(POLL_MS);
  return () => {
    ended = true;
    clearTimeout(timer);
    unwatch();
  };
}
