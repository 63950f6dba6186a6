import { isInterrupted, isTerminal } from "@cleveragents/domain";
import type { TaskRow, TaskStore } from "../ports/task-store.ts";

const POLL_MS = 2000;

/** Waits until a task rests: terminal or interrupted. Undefined when nobody waits any more. */
export async function untilAtRest(
  store: TaskStore,
  taskId: string,
  signal: AbortSignal,
): Promise<TaskRow | undefined> {
  return until(store, taskId, signal, (row) => isTerminal(row.state) || isInterrupted(row.state));
}

/** Waits until a condition holds of a task's row; looks after every wake-up and besides every two seconds. */
export async function until(
  store: TaskStore,
  taskId: string,
  signal: AbortSignal,
  holds: (row: TaskRow) => boolean,
): Promise<TaskRow | undefined> {
  let wake: () => void = () => undefined;
  const stop = store.watch(taskId, () => wake());
  try {
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const row = await store.load(taskId);
      if (row === undefined || holds(row)) return row;
      await raceWithTimer(woken, signal);
    }
    return undefined;
  } finally {
    stop();
  }
}

export function raceWithTimer(
  woken: Promise<void>,
  signal: AbortSignal,
  ms: number = POLL_MS,
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
    void woken.then(done);
  });
}
