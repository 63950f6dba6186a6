import type { JsonValue } from "@cleveragents/domain";

export interface PlanRunInput {
  readonly taskId: string;
  readonly epoch: number;
  /** 0 for the first run of an epoch; long plans go on in further runs. */
  readonly part: number;
}

/** What a workflow may do; every call is recorded, so that a run that is taken over repeats nothing finished. */
export interface PlanRun {
  readonly runId: string;
  readonly input: PlanRunInput;
  /** Fires when this worker must stop at once: the run was cancelled, its lease is lost, or the engine closes. */
  readonly signal: AbortSignal;
  /**
   * Runs once and remembers the result under this name; after a crash it may run again, so it must be idempotent.
   * A throw is tried again by the engine with back-off, at most `attempts` times (default 3), then it fails the run.
   */
  step<T extends JsonValue>(
    name: string,
    run: () => Promise<T>,
    options?: { readonly attempts?: number },
  ): Promise<T>;
  /** Sleeps until `signal` of this task or the time-out, whichever is first. Wake-ups are hints: look at the inbox. */
  waitForInput(name: string, timeoutMs: number): Promise<void>;
}
export type PlanWorkflow = (run: PlanRun) => Promise<void>;

export type PlanRunStatus = "waiting" | "running" | "completed" | "failed" | "canceled";

/**
 * Durable execution of plans: a run that was begun goes on after its process dies, on this process's next start or
 * on another replica, from the last finished step. At most one worker runs a run at a time (lease); a worker that
 * lost its lease has its `signal` fired and records nothing more.
 */
export interface PlanEngine {
  /** Begins to work on runs. Called once. */
  open(workflow: PlanWorkflow): Promise<void>;
  /** Queues a run; the same input twice is the same run. Durable when it answers. */
  start(input: PlanRunInput): Promise<string>;
  /** Wakes the runs of a task that wait for input. A hint: nothing is kept if none waits. */
  signal(taskId: string): Promise<void>;
  /** Ends a run: no further step begins, and its signal fires where it runs. Unknown or ended runs are left alone. */
  cancel(runId: string): Promise<void>;
  status(runId: string): Promise<PlanRunStatus | undefined>;
  /** Takes no new work, fires the signals, waits for running steps at most `graceMs`. Runs are taken up again later. */
  close(graceMs?: number): Promise<void>;
}
