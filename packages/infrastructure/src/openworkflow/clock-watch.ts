/** Less than this is no change of the clock but its being kept right. */
const NOTABLE_MS = 1_000;

/** Tells when the wall clock, which the engine's rows go by, was set; the clock of the process never is. */
export class ClockWatch {
  #offset = Date.now() - performance.now();

  /** Since it was last asked. */
  moved(): "forward" | "back" | undefined {
    const offset = Date.now() - performance.now();
    const by = offset - this.#offset;
    this.#offset = offset;
    if (Math.abs(by) < NOTABLE_MS) return undefined;
    return by > 0 ? "forward" : "back";
  }
}
