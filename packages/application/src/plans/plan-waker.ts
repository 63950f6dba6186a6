import type { PlanEngine } from "../ports/plan-engine.ts";
import type { TaskStore } from "../ports/task-store.ts";

/** When a wake-up is repeated, in milliseconds after the one before; after the last one the plan's own poll will do. */
const AGAIN_MS = [20, 80, 320, 1280, 5000];

/**
 * Wakes plans that have mail. The engine keeps no signal for a run that is only about to wait, so the signal is
 * repeated until the mail has been taken.
 */
export class PlanWaker {
  readonly #store: Pick<TaskStore, "inbox">;
  readonly #engine: Pick<PlanEngine, "signal">;

  constructor(deps: {
    readonly store: Pick<TaskStore, "inbox">;
    readonly engine: Pick<PlanEngine, "signal">;
  }) {
    this.#store = deps.store;
    this.#engine = deps.engine;
  }

  /** Never rejects: what is in the inbox is durable, and whoever put it there must not be told that it failed. */
  async wake(taskId: string): Promise<void> {
    await this.#engine.signal(taskId).catch(() => undefined);
    this.#later(taskId, 0);
  }

  #later(taskId: string, attempt: number): void {
    const delay = AGAIN_MS[attempt];
    if (delay === undefined) return;
    const timer = setTimeout(() => {
      // What fails here is a store that has been closed; the next start looks at every inbox.
      this.#again(taskId, attempt).catch(() => undefined);
    }, delay);
    timer.unref?.();
  }

  async #again(taskId: string, attempt: number): Promise<void> {
    if ((await this.#store.inbox(taskId)).length === 0) return;
    await this.#engine.signal(taskId).catch(() => undefined);
    this.#later(taskId, attempt + 1);
  }
}
