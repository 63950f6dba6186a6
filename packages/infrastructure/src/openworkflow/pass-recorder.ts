import type { JsonValue } from "@cleveragents/domain";

/** The record of one run, as a pass of its workflow sees it. */
export interface PassRecorder {
  /**
   * Answers the remembered result, or calls `run` and remembers what it gives.
   * Rejects with RetryLater or StepFailed if `run` throws, and with any other error if nothing can be recorded.
   */
  step(name: string, attempts: number, run: () => Promise<JsonValue>): Promise<JsonValue>;
  /** Resolves if this wait is over; rejects with Suspended if the run has to sleep now. */
  wait(name: string, timeoutMs: number): Promise<void>;
}

/** The pass ends here and the workflow is called again later. `outcome` is the engine's own word for it. */
export class Suspended extends Error {
  override readonly name = "Suspended";
  readonly outcome: unknown;

  constructor(outcome: unknown) {
    super("The run sleeps.");
    this.outcome = outcome;
  }
}

/** A step threw and has attempts left. */
export class RetryLater extends Error {
  override readonly name = "RetryLater";
  readonly outcome: unknown;

  constructor(outcome: unknown) {
    super("The step is tried again later.");
    this.outcome = outcome;
  }
}

/** A step threw and has no attempt left. `cause` is what it threw. */
export class StepFailed extends Error {
  override readonly name = "StepFailed";
  readonly outcome: unknown;

  constructor(outcome: unknown, thrown: unknown) {
    super("The step failed.", { cause: thrown });
    this.outcome = outcome;
  }
}
