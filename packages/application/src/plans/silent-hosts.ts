import { canAdvance, FencedError, type PlanFailure, TaskStateError } from "@cleveragents/domain";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { HostRegistry } from "../ports/host-registry.ts";
import type { Logger } from "../ports/logger.ts";
import type { TaskRow, TaskStore } from "../ports/task-store.ts";
import { ask } from "./asking.ts";
import { retryAsk } from "./gates.ts";
import { moved, planOf } from "./plan-document.ts";
import { PlanWriter } from "./plan-writer.ts";
import { withStep } from "./step-progress.ts";

const BEAT_EVERY_MS = 10_000;
/** Several beats, so that neither a slow database nor a restart is taken for silence. */
const SILENT_AFTER_MS = 60_000;

export interface SilentHostsDeps {
  readonly store: TaskStore;
  readonly hosts: HostRegistry;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
}

/**
 * Tells the others that this host lives, and the users of hosts that have fallen silent what became of their plans:
 * each that was at work asks whether to try again. The answer is taken when its host is back; until then it can be
 * cancelled.
 */
export class SilentHosts {
  readonly #deps: SilentHostsDeps;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(deps: SilentHostsDeps) {
    this.#deps = deps;
  }

  /** Before any plan is worked on: throws `HostTakenError`. */
  async start(): Promise<void> {
    await this.#deps.hosts.beat();
    this.#timer = setInterval(() => {
      this.look().catch((error: unknown) =>
        this.#deps.logger.error({ error: String(error) }, "the hosts could not be looked after"),
      );
    }, BEAT_EVERY_MS);
    this.#timer.unref?.();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#deps.hosts.close();
  }

  async look(): Promise<void> {
    const { store, hosts, logger } = this.#deps;
    await hosts.beat();
    const silent = new Set(await hosts.silent(SILENT_AFTER_MS));
    if (silent.size === 0) return;
    for (const row of await store.unfinished("plan")) {
      const { host } = planOf(row);
      if (host === undefined || !silent.has(host)) continue;
      try {
        if (await this.#ask(row)) logger.warn({ taskId: row.taskId, host }, "a plan's host is silent");
      } catch (error) {
        // Its host is back, or another process was faster.
        if (!(error instanceof FencedError) && !(error instanceof TaskStateError)) throw error;
      }
    }
  }

  async #ask(row: TaskRow): Promise<boolean> {
    const plan = planOf(row);
    const errored = { phase: plan.stage.phase, state: "errored" } as const;
    // What asks already waits for a person, and the host can wait with it.
    if (plan.open !== undefined || !canAdvance(plan.stage, errored)) return false;
    const { epoch } = await this.#deps.store.commit({
      taskId: row.taskId,
      expect: { epoch: row.epoch, runId: row.runId },
      bumpEpoch: true,
      runId: null,
    });
    const step = plan.steps.find((candidate) => candidate.status === "running");
    const failure: PlanFailure = {
      reason: "HOST_SILENT",
      message: "The host that carries this plan out has not been heard of for a minute",
      recoverable: true,
      ...(step === undefined ? {} : { step: step.index }),
    };
    const stopped =
      step === undefined ? plan : withStep(plan, { ...step, status: "failed", detail: failure.message });
    const writer = new PlanWriter(this.#deps.store, epoch);
    await ask(this.#deps, { writer }, { ...moved(stopped, errored), failure }, retryAsk(failure), [
      {
        key: `silent:${epoch}`,
        name: "plan.errored",
        data: { reason: failure.reason, message: failure.message, recoverable: true },
      },
    ]);
    return true;
  }
}
