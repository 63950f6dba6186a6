import type { Logger } from "@cleveragents/application";

export type TaskListener = (taskId: string, lastSeq: number) => void;

/** Who wants to be woken, by task. Calls listeners one after another; one that throws is logged and stops nothing. */
export class TaskWatchers {
  readonly #logger: Logger;
  readonly #all = new Set<{ readonly call: TaskListener }>();
  readonly #byTask = new Map<string, Set<{ readonly call: TaskListener }>>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** The same function may watch twice; each watch is stopped by its own answer. */
  add(taskId: string | undefined, listener: TaskListener): () => void {
    const watch = { call: listener };
    if (taskId === undefined) {
      this.#all.add(watch);
      return () => void this.#all.delete(watch);
    }
    const watches = this.#byTask.get(taskId) ?? new Set();
    this.#byTask.set(taskId, watches.add(watch));
    return () => {
      watches.delete(watch);
      if (watches.size === 0 && this.#byTask.get(taskId) === watches) this.#byTask.delete(taskId);
    };
  }

  /** Whose wake-ups are waited for: the tasks that are watched by name, and whether all are. */
  watched(): { readonly tasks: readonly string[]; readonly all: boolean } {
    return { tasks: [...this.#byTask.keys()], all: this.#all.size > 0 };
  }

  /** Those who watch now are called; not those who begin meanwhile, nor those who stop meanwhile. */
  wake(taskId: string, lastSeq: number): void {
    for (const watches of [this.#byTask.get(taskId), this.#all]) {
      if (watches === undefined || watches.size === 0) continue;
      for (const watch of [...watches]) {
        if (!watches.has(watch)) continue;
        try {
          watch.call(taskId, lastSeq);
        } catch (error) {
          this.#logger.error({ err: error, taskId }, "a watcher of a task failed");
        }
      }
    }
  }

  clear(): void {
    this.#all.clear();
    for (const watches of this.#byTask.values()) watches.clear();
    this.#byTask.clear();
  }
}
