import type { Logger } from "@cleveragents/application";
import type { Backend, WorkflowRun } from "openworkflow/internal";
import { Lease } from "./lease.ts";

/** A run that could not be recorded is not taken up again at once: the database may need the time. */
const AFTER_TROUBLE_MS = 1_000;

export interface LeasesDeps {
  /** The undecorated backend. */
  readonly backend: Backend;
  readonly leaseMs: number;
  readonly logger: Logger;
}

/**
 * The runs that this process holds, and the heart-beat that keeps them. OpenWorkflow's worker has a fixed lease of
 * 30 seconds and never hears that it lost one; this is what stands in its place.
 */
export class Leases {
  readonly #deps: LeasesDeps;
  readonly #held = new Map<string, Lease>();
  #heartbeat: NodeJS.Timeout | undefined;
  #emptied: (() => void)[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #dry = false;

  constructor(deps: LeasesDeps) {
    this.#deps = deps;
  }

  get(runId: string, workerId: string): Lease | undefined {
    return this.#held.get(keyOf(runId, workerId));
  }

  /** Every hold on a run; more than one only while an older one is being let go. The newest is the last. */
  of(runId: string): Lease[] {
    return [...this.#held.values()].filter((lease) => lease.run.id === runId);
  }

  /** The next claims ask the database again. */
  beginRound(): void {
    this.#dry = false;
  }

  /** Claims for one place. The worker asks for all its places at once; after the first "nothing" no other need ask. */
  claim(workerId: string): Promise<WorkflowRun | null> {
    const claimed = this.#turn.then(() => (this.#dry ? null : this.#claim(workerId)));
    this.#turn = claimed.then(
      (run) => {
        this.#dry ||= run === null;
      },
      () => {
        this.#dry = true;
      },
    );
    return claimed;
  }

  async #claim(workerId: string): Promise<WorkflowRun | null> {
    // After a stall of this process our own leases have lapsed: renew them before we would take them from ourselves.
    await this.#renewOverdue();
    const { backend, leaseMs } = this.#deps;
    const askedAt = performance.now();
    const run = await backend.claimWorkflowRun({ workerId, leaseDurationMs: leaseMs });
    if (run === null) return null;
    this.#held.set(keyOf(run.id, workerId), new Lease(run, workerId, askedAt));
    this.#heartbeat ??= setInterval(() => void this.#renewOverdue(), this.#interval);
    return run;
  }

  /** Forgets a run whose pass is over. */
  drop(lease: Lease): void {
    this.#held.delete(keyOf(lease.run.id, lease.workerId));
    if (this.#held.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
    for (const resolve of this.#emptied.splice(0)) resolve();
  }

  /** Sets free a run that has not ended, so that any worker may take it up. Never rejects. */
  async release(lease: Lease): Promise<void> {
    // A cancelled run is about to be ended by whoever cancelled it; set free, it could begin another step.
    if (lease.reason === "canceled") return;
    const wait = lease.reason === "closing" ? 0 : AFTER_TROUBLE_MS;
    try {
      // OpenWorkflow's word for it, fenced by the worker's id: a run that has another worker stays with it.
      await this.#deps.backend.sleepWorkflowRun({
        workflowRunId: lease.run.id,
        workerId: lease.workerId,
        availableAt: new Date(Date.now() + wait),
      });
    } catch (error) {
      this.#deps.logger.debug({ runId: lease.run.id, error }, "A run was not released; its lease runs out.");
    }
  }

  /** Stops every run, waits at most `graceMs` for the steps in flight, and releases what is left. */
  async close(graceMs: number): Promise<void> {
    for (const lease of this.#held.values()) lease.drain();
    await this.#empty(graceMs);
    const left = [...this.#held.values()];
    for (const lease of left) lease.end("closing");
    await Promise.all(left.map((lease) => this.release(lease)));
    clearInterval(this.#heartbeat);
  }

  get #interval(): number {
    return this.#deps.leaseMs / 5;
  }

  async #empty(atMostMs: number): Promise<void> {
    if (this.#held.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, atMostMs);
      this.#emptied.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** For when the clock was set forward, and all leases have lapsed by the database's reckoning. */
  async renewAll(): Promise<void> {
    await Promise.all([...this.#held.values()].map((lease) => this.#renew(lease)));
  }

  async #renewOverdue(): Promise<void> {
    const now = performance.now();
    const overdue = [...this.#held.values()].filter((lease) => now - lease.renewedAt >= this.#interval * 0.9);
    await Promise.all(overdue.map((lease) => this.#renew(lease)));
  }

  async #renew(lease: Lease): Promise<void> {
    const { backend, leaseMs, logger } = this.#deps;
    const askedAt = performance.now();
    const of = { workflowRunId: lease.run.id, workerId: lease.workerId };
    try {
      await backend.extendWorkflowRunLease({ ...of, leaseDurationMs: leaseMs });
      lease.renewedAt = askedAt;
      return;
    } catch {
      // Either it is not ours any more, or we could not ask.
    }
    const run = await backend.getWorkflowRun(of).catch(() => undefined);
    const ours = run === undefined || (run?.status === "running" && run.workerId === lease.workerId);
    // Now, and not when it was asked for: a database that is away may take its time to say so.
    if (ours && performance.now() - lease.renewedAt < leaseMs) return;
    if (this.get(lease.run.id, lease.workerId) !== lease || lease.signal.aborted) return;
    if (run?.status === "canceled") {
      lease.end("canceled");
    } else {
      logger.warn({ runId: lease.run.id }, "A run was lost: another worker has it, or the database is away.");
      lease.end("lost");
    }
  }
}

function keyOf(runId: string, workerId: string): string {
  return `${runId}/${workerId}`;
}
