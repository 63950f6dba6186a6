/**
 * Lets a number of calls of one provider through at a time, whoever makes them, first come first served. A provider
 * that has asked for a pause is left alone by all of them.
 */
export class CallLine {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #pausedUntil = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds for which nobody is to call. */
  get pause(): number {
    return Math.max(0, this.#pausedUntil - this.#now());
  }

  pauseFor(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now() + ms);
  }

  /** Runs the call when it is its turn. Rejects with the signal's reason when that fires first. */
  async run<T>(places: number, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    await this.#enter(places, signal);
    try {
      return await call();
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  async #enter(places: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    // Places may have become fewer meanwhile: whoever is called looks again.
    while (this.#running >= places) {
      await new Promise<void>((resolve, reject) => {
        const call = () => {
          signal.removeEventListener("abort", stop);
          resolve();
        };
        const stop = () => {
          this.#waiting.splice(this.#waiting.indexOf(call), 1);
          reject(signal.reason);
        };
        this.#waiting.push(call);
        signal.addEventListener("abort", stop, { once: true });
      });
    }
    this.#running++;
  }
}
