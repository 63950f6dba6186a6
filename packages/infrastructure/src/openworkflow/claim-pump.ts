import type { Logger } from "@cleveragents/application";

/** The longest time for which a timer is set; the poll covers what is further away. */
const FARTHEST_MS = 60_000;
/** Timers may fire a moment early, and what is not yet available then would have to wait for the poll. */
const SLACK_MS = 2;
const LONGEST_BACK_OFF_MS = 30_000;

export interface ClaimPumpDeps {
  /** Claims what is available. Called by one at a time. */
  readonly claim: () => Promise<unknown>;
  readonly pollMs: number;
  readonly logger: Logger;
}

/**
 * Claims runs when there is a reason to: at a hint at once, when a sleep of ours ends, and now and then for what we
 * were not told. OpenWorkflow's own loop asks once a second for every place, which an idle server should not pay.
 */
export class ClaimPump {
  readonly #deps: ClaimPumpDeps;
  readonly #timers = new Set<NodeJS.Timeout>();
  #poll: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #failures = 0;

  constructor(deps: ClaimPumpDeps) {
    this.#deps = deps;
  }

  kick(): void {
    if (this.#stopped) return;
    if (this.#working !== undefined) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#poll);
    this.#working = this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  kickAt(time: Date): void {
    const wait = time.getTime() - Date.now();
    if (this.#stopped || wait > FARTHEST_MS) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.kick();
    }, Math.max(0, wait) + SLACK_MS);
    this.#timers.add(timer);
  }

  /** No claim begins after this; resolves when the last one has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#poll);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    await this.#working;
  }

  async #work(): Promise<void> {
    do {
      this.#again = false;
      try {
        await this.#deps.claim();
        if (this.#failures > 0) this.#deps.logger.info({}, "The engine's database answers again.");
        this.#failures = 0;
      } catch (error) {
        this.#failures += 1;
        if (this.#failures === 1)
          this.#deps.logger.error({ error }, "The engine's database does not answer.");
      }
    } while (this.#again && !this.#stopped && this.#failures === 0);
    if (this.#stopped) return;
    const { pollMs } = this.#deps;
    const wait = this.#failures === 0 ? pollMs : Math.min(pollMs * 2 ** this.#failures, LONGEST_BACK_OFF_MS);
    this.#poll = setTimeout(() => this.kick(), wait);
  }
}
