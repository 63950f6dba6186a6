import { setImmediate as soon } from "node:timers/promises";
import {
  type FailPoint,
  type Logger,
  type PlanEngine,
  type PlanRunInput,
  type PlanRunStatus,
  type PlanWorkflow,
  WITH_FAIL_POINTS,
} from "@cleveragents/application";
import { defineWorkflow, Worker } from "openworkflow";
import { ClaimPump } from "./claim-pump.ts";
import { ClockWatch } from "./clock-watch.ts";
import type { EngineStore } from "./engine-store.ts";
import { freeOrphans } from "./free-orphans.ts";
import { leasedBackend } from "./leased-backend.ts";
import { Leases } from "./leases.ts";
import { OpenWorkflowRecorder } from "./open-workflow-recorder.ts";
import { PlanRunPass } from "./plan-run-pass.ts";
import { toPlanRunStatus } from "./run-status.ts";

const WORKFLOW = { name: "plan", version: "1" } as const;
const DEFAULT_LEASE_MS = 10_000;
const DEFAULT_CONCURRENCY = 4;
const DEFAULT_RETRY_DELAY_MS = 500;
/** A wait for input ends after ten minutes, and a retry comes sooner. */
const LONGEST_SLEEP_MS = 15 * 60_000;
const DEFAULT_GRACE_MS = 5_000;
const DEFAULT_KEEP_ENDED_MS = 24 * 60 * 60 * 1000;
const DEFAULT_REMOVE_ENDED_EVERY_MS = 10 * 60 * 1000;
/** So few at a time that nobody who writes besides has to wait: a run may have a thousand steps. */
const REMOVED_AT_ONCE = 20;
/** Alone, only what a timer of ours forgot is left to find; with others, their hints do not reach us. */
const POLL_ALONE_MS = 5_000;
const POLL_SHARED_MS = 1_000;

export interface PlanEngineOptions {
  readonly logger: Logger;
  /** How long a run stays with a worker that is not heard of. */
  readonly leaseMs?: number;
  /** Runs that are worked on at a time. A run that waits does not count. */
  readonly concurrency?: number;
  /** This process alone owns the database, so that runs which a dead one left are freed when it opens. */
  readonly exclusive: boolean;
  /** Pause before a step's second attempt; it doubles from there, up to 30 s. */
  readonly retryDelayMs?: number;
  /** How long what is recorded of a run stays after its end. */
  readonly keepEndedMs?: number;
  /** How often ended runs are looked for. */
  readonly removeEndedEveryMs?: number;
  readonly failPoint?: FailPoint | undefined;
}

export interface OpenWorkflowPlanEngineDeps extends PlanEngineOptions {
  readonly openStore: () => Promise<EngineStore>;
}

/**
 * Plans on OpenWorkflow, over whatever database its store has. The engine opens the store when it is first needed and
 * closes it. From `open()` until `close()` it keeps its process alive.
 */
export class OpenWorkflowPlanEngine implements PlanEngine {
  readonly #deps: OpenWorkflowPlanEngineDeps;
  #store: Promise<EngineStore> | undefined;
  #leases: Leases | undefined;
  #pump: ClaimPump | undefined;
  #removal: NodeJS.Timeout | undefined;
  #removing: Promise<void> | undefined;
  #opened = false;
  #closing: Promise<void> | undefined;

  constructor(deps: OpenWorkflowPlanEngineDeps) {
    this.#deps = deps;
  }

  async open(workflow: PlanWorkflow): Promise<void> {
    if (this.#opened) throw new Error("The engine is open already.");
    this.#opened = true;
    const { logger, exclusive, leaseMs = DEFAULT_LEASE_MS, concurrency = DEFAULT_CONCURRENCY } = this.#deps;
    const store = await this.#connect();
    const { backend } = store;
    const orphans = exclusive ? await freeOrphans(backend) : { freed: 0, wakeAt: [] };
    // Nothing of ours sleeps for so long: the clock was set back while nobody watched.
    if (orphans.wakeAt.some((time) => time.getTime() - Date.now() > LONGEST_SLEEP_MS))
      await store.wakeSleepers?.();
    if (orphans.freed > 0) logger.info({ runs: orphans.freed }, "Interrupted runs go on.");

    const leases = new Leases({ backend, leaseMs, logger });
    const worker = new Worker({
      backend: leasedBackend({
        backend,
        leases,
        logger,
        onSettled: (availableAt) => {
          if (availableAt !== null) pump.kickAt(availableAt);
          // The worker frees the place only when it has heard of the end.
          setImmediate(() => pump.kick());
        },
      }),
      workflows: [this.#definition(workflow, leases)],
      concurrency,
    });
    const clock = new ClockWatch();
    const pump = new ClaimPump({
      claim: async () => {
        const moved = clock.moved();
        if (moved === "forward") await leases.renewAll();
        if (moved === "back") await store.wakeSleepers?.();
        leases.beginRound();
        return worker.tick();
      },
      pollMs: exclusive ? POLL_ALONE_MS : POLL_SHARED_MS,
      logger,
    });
    if (this.#closing !== undefined) return;
    this.#leases = leases;
    this.#pump = pump;
    this.#removal = setInterval(() => {
      this.#removing ??= this.#removeEnded().finally(() => {
        this.#removing = undefined;
      });
    }, this.#deps.removeEndedEveryMs ?? DEFAULT_REMOVE_ENDED_EVERY_MS);
    for (const time of orphans.wakeAt) pump.kickAt(time);
    pump.kick();
  }

  async start(input: PlanRunInput): Promise<string> {
    const { backend, findRunId } = await this.#connect();
    const { taskId, epoch, part } = input;
    const idempotencyKey = `${taskId}:${epoch}:${part}`;
    // The backend's key holds for 24 hours and decides between callers of the same moment; before that, the look-up.
    let id = await findRunId(WORKFLOW.name, idempotencyKey);
    if (id === undefined) {
      const run = await backend.createWorkflowRun({
        workflowName: WORKFLOW.name,
        version: WORKFLOW.version,
        idempotencyKey,
        config: {},
        context: null,
        input: { taskId, epoch, part },
        parentStepAttemptNamespaceId: null,
        parentStepAttemptId: null,
        availableAt: null,
        deadlineAt: null,
      });
      id = run.id;
      if (WITH_FAIL_POINTS) this.#deps.failPoint?.("engine.start.queued");
    }
    this.#pump?.kick();
    return id;
  }

  async signal(taskId: string): Promise<void> {
    const { backend } = await this.#connect();
    const woken = await backend.sendSignal({ signal: signalOf(taskId), data: null, idempotencyKey: null });
    if (woken.workflowRunIds.length > 0) this.#pump?.kick();
  }

  async cancel(runId: string): Promise<void> {
    for (const lease of this.#leases?.of(runId) ?? []) lease.end("canceled");
    const { backend } = await this.#connect();
    try {
      await backend.cancelWorkflowRun({ workflowRunId: runId });
    } catch (error) {
      // It refuses runs that have ended or that it does not know.
      const status = await this.status(runId);
      if (status === "waiting" || status === "running") throw error;
    }
  }

  async status(runId: string): Promise<PlanRunStatus | undefined> {
    const { backend } = await this.#connect();
    const run = await backend.getWorkflowRun({ workflowRunId: runId });
    return run === null ? undefined : toPlanRunStatus(run);
  }

  close(graceMs: number = DEFAULT_GRACE_MS): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  async #close(graceMs: number): Promise<void> {
    clearInterval(this.#removal);
    await this.#pump?.stop();
    await this.#removing;
    await this.#leases?.close(graceMs);
    const store = await this.#store?.catch(() => undefined);
    await store?.close().catch((error: unknown) => {
      this.#deps.logger.debug({ error }, "The engine's database did not close.");
    });
  }

  /** Never rejects: what is left is removed the next time. */
  async #removeEnded(): Promise<void> {
    const { logger, keepEndedMs = DEFAULT_KEEP_ENDED_MS } = this.#deps;
    try {
      const { removeEnded } = await this.#connect();
      const before = new Date(Date.now() - keepEndedMs);
      for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE && this.#closing === undefined; ) {
        removed = await removeEnded(before, REMOVED_AT_ONCE);
        await soon();
      }
    } catch (error) {
      logger.warn({ error: String(error) }, "Ended runs could not be removed.");
    }
  }

  #connect(): Promise<EngineStore> {
    if (this.#closing !== undefined) return Promise.reject(new Error("The engine is closed."));
    if (this.#store === undefined) {
      const store = this.#deps.openStore();
      this.#store = store;
      store.catch(() => {
        if (this.#store === store) this.#store = undefined; // the next caller tries again
      });
    }
    return this.#store;
  }

  #definition(workflow: PlanWorkflow, leases: Leases) {
    const { retryDelayMs = DEFAULT_RETRY_DELAY_MS, failPoint } = this.#deps;
    return defineWorkflow<unknown, void>(WORKFLOW, async ({ input: recorded, step, run }) => {
      const input = recorded as PlanRunInput; // start() put it there
      const lease = leases.of(run.id).at(-1);
      if (lease === undefined) throw new Error("The run was let go before it began.");
      const recorder = new OpenWorkflowRecorder({
        step,
        lease,
        signalName: signalOf(input.taskId),
        retryDelayMs,
        failPoint,
      });
      await new PlanRunPass({ runId: run.id, input, signal: lease.signal, recorder }).play(workflow);
    });
  }
}

function signalOf(taskId: string): string {
  return `task:${taskId}`;
}
