import { FencedError } from "@cleveragents/domain";
import type { Logger } from "../ports/logger.ts";
import type { PlanEngine, PlanWorkflow } from "../ports/plan-engine.ts";
import type { TaskRow, TaskStore } from "../ports/task-store.ts";
import type { Workspace } from "../ports/workspace.ts";

const SWEEP_MS = 30_000;

/**
 * Keeps plans and engine in step: at start, and every 30 seconds, each unfinished plan is compared with its run. One
 * without a run gets it; one whose run has ended without it gets a new epoch and run; one with mail is woken.
 */
export class PlanSupervisor {
  readonly #store: TaskStore;
  readonly #engine: PlanEngine;
  readonly #workspace: Workspace;
  readonly #logger: Logger;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(deps: {
    readonly store: TaskStore;
    readonly engine: PlanEngine;
    readonly workspace: Workspace;
    readonly logger: Logger;
  }) {
    this.#store = deps.store;
    this.#engine = deps.engine;
    this.#workspace = deps.workspace;
    this.#logger = deps.logger;
  }

  /** Finishes applies that were cut off, then lets plans go on. */
  async start(workflow: PlanWorkflow): Promise<void> {
    for (const recovered of await this.#workspace.recover())
      this.#logger.warn({ ...recovered }, "an apply was cut off and has been settled");
    await this.#engine.open(workflow);
    await this.sweep();
    this.#timer = setInterval(() => {
      this.sweep().catch((error: unknown) =>
        this.#logger.error({ error: String(error) }, "plans could not be compared with their runs"),
      );
    }, SWEEP_MS);
    this.#timer.unref?.();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async sweep(): Promise<void> {
    for (const row of await this.#store.unfinished("plan")) {
      try {
        await this.#ensureRun(row);
      } catch (error) {
        this.#logger.error(
          { taskId: row.taskId, error: String(error) },
          "a plan could not be compared with its run",
        );
      }
    }
  }

  async #ensureRun(row: TaskRow): Promise<void> {
    const { taskId, epoch, runId } = row;
    if (runId === null) {
      await this.#engine.start({ taskId, epoch, part: 0 });
      return;
    }
    const status = await this.#engine.status(runId);
    if (status === "waiting" || status === "running") {
      if ((await this.#store.inbox(taskId)).length > 0) await this.#engine.signal(taskId);
      return;
    }
    try {
      const committed = await this.#store.commit({
        taskId,
        expect: { epoch, runId },
        bumpEpoch: true,
        runId: null,
      });
      await this.#engine.start({ taskId, epoch: committed.epoch, part: 0 });
    } catch (error) {
      if (!(error instanceof FencedError)) throw error; // it has moved on by itself
    }
  }
}
