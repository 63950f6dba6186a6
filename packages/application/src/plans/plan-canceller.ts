import { FencedError, isFinalStage, type JsonObject, type Plan, PlanStateError } from "@cleveragents/domain";
import type { Clock } from "../ports/clock.ts";
import { type FailPoint, WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import type { Logger } from "../ports/logger.ts";
import type { PlanEngine } from "../ports/plan-engine.ts";
import type { TaskRow, TaskStore } from "../ports/task-store.ts";
import { documentOf, isHere, planOf, without } from "./plan-document.ts";
import type { PlanDriver } from "./plan-driver.ts";
import { statusEvent } from "./plan-writer.ts";
import type { SandboxJanitor } from "./sandbox-janitor.ts";

export interface PlanCancellerDeps {
  readonly store: Pick<TaskStore, "load" | "commit">;
  readonly engine: Pick<PlanEngine, "cancel" | "status" | "signal">;
  readonly driver: Pick<PlanDriver, "stop">;
  readonly janitor: Pick<SandboxJanitor, "clean">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failPoint?: FailPoint | undefined;
  readonly host?: string | undefined;
}

/** Ends plans before they have come to their end: durable at once, then what runs is stopped. */
export class PlanCanceller {
  readonly #deps: PlanCancellerDeps;

  constructor(deps: PlanCancellerDeps) {
    this.#deps = deps;
  }

  /**
   * `find` reads the plan, as often as somebody else was faster. Throws `PlanStateError` once it is final, and while its
   * changeset is being written, which must end one way or the other.
   */
  async cancel(
    find: () => Promise<{ readonly row: TaskRow; readonly plan: Plan }>,
    reason: string | undefined,
  ): Promise<void> {
    const { store, clock, failPoint } = this.#deps;
    for (;;) {
      const { row, plan } = await find();
      const { planId, stage } = plan;
      if (isFinalStage(stage)) throw new PlanStateError(planId, stage, `it is ${stage.state} already`);
      if (stage.phase === "apply") throw new PlanStateError(planId, stage, "its changes are being applied");
      const cancelled: Plan = {
        ...without(plan, "open"),
        stage: { phase: stage.phase, state: "cancelled" },
        finishedAt: clock.now(),
        ...(reason === undefined ? {} : { cancelReason: reason }),
      };
      const data: JsonObject = {
        phase: stage.phase,
        state: "cancelled",
        ...(reason === undefined ? {} : { reason }),
      };
      try {
        await store.commit({
          taskId: planId,
          expect: { revision: row.revision },
          bumpEpoch: true,
          runId: null,
          document: documentOf(cancelled),
          events: [statusEvent("canceled", { key: "cancelled", name: "plan.cancelled", data })],
        });
      } catch (error) {
        if (error instanceof FencedError) continue;
        throw error;
      }
      if (WITH_FAIL_POINTS) failPoint?.("service.cancel.committed");
      void this.#windDown(plan, row.runId);
      return;
    }
  }

  /** The same for a plan that another one has started; one that is over, or is not there, stays as it is. */
  async end(planId: string, reason: string): Promise<void> {
    const row = await this.#deps.store.load(planId);
    if (row === undefined || isFinalStage(planOf(row).stage)) return;
    const find = async () => {
      const now = await this.#deps.store.load(planId);
      if (now === undefined) throw new Error("a plan is never forgotten");
      return { row: now, plan: planOf(now) };
    };
    try {
      await this.cancel(find, reason);
    } catch (error) {
      if (!(error instanceof PlanStateError)) throw error; // it has ended meanwhile
    }
  }

  /** Stops what runs of a plan that is over and removes its sandbox. Never rejects: nobody waits for it. */
  async #windDown(plan: Plan, runId: string | null): Promise<void> {
    const { engine, driver, janitor, logger, failPoint, host } = this.#deps;
    const { planId } = plan;
    try {
      // What has the run, wherever it is, hears of the end from the store, and cleans up: a sandbox in which another
      // process still works is not to be removed here. A run that waits there only needs to be woken.
      if (!isHere(plan, host)) return await engine.signal(planId);
      const ranHere = await driver.stop(planId);
      if (!ranHere && runId !== null && (await engine.status(runId)) === "running") return;
      if (WITH_FAIL_POINTS) failPoint?.("service.cancel.stopped");
      await janitor.clean(planId);
      if (WITH_FAIL_POINTS) failPoint?.("service.cancel.cleaned");
      // Last: should the process end before this, the run goes on elsewhere, finds the plan over and cleans up.
      if (runId !== null) await engine.cancel(runId);
    } catch (error) {
      logger.warn({ taskId: planId, error: String(error) }, "a cancelled plan was not cleaned up after yet");
    }
  }
}
