/** Why a worker must let go of a run. */
export type StopReason = "canceled" | "lost" | "closing";

const TEXT: Record<StopReason, string> = {
  canceled: "The run was cancelled.",
  lost: "This worker no longer holds the run.",
  closing: "The engine is closing; the run is taken up again later.",
};

/** The reason of a run's signal. Named AbortError, so that what was given the signal knows it as one. */
export class RunStoppedError extends Error {
  override readonly name = "AbortError";
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(TEXT[reason]);
    this.reason = reason;
  }
}
