import type { WorkflowRun } from "openworkflow/internal";
import { RunStoppedError, type StopReason } from "./run-stopped-error.ts";

/** One worker's hold on one run, from its claim until it is settled or lost. */
export class Lease {
  readonly run: WorkflowRun;
  readonly workerId: string;
  /** When the last renewal was asked for, on the clock of `performance.now()`. */
  renewedAt: number;
  /** Step attempts of the run so far, as far as this pass has read or made them. */
  attempts = 0;

  readonly #abort = new AbortController();
  #over = false;

  constructor(run: WorkflowRun, workerId: string, renewedAt: number) {
    this.run = run;
    this.workerId = workerId;
    this.renewedAt = renewedAt;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get reason(): StopReason | undefined {
    const reason: unknown = this.#abort.signal.reason;
    return reason instanceof RunStoppedError ? reason.reason : undefined;
  }

  /** Fires the signal. What a step in flight finishes may still be recorded; no other step begins. */
  drain(): void {
    this.#abort.abort(new RunStoppedError("closing"));
  }

  /** Fires the signal; nothing more is recorded. */
  end(reason: StopReason): void {
    this.#over = true;
    this.#abort.abort(new RunStoppedError(reason));
  }

  assertMayBegin(): void {
    this.#abort.signal.throwIfAborted();
  }

  assertMayRecordResult(): void {
    if (this.#over) this.#abort.signal.throwIfAborted();
  }
}
