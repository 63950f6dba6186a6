import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 20;

/** A command that was spawned detached, and everything it started that did not leave for a group of its own. */
export class ProcessGroup {
  readonly #id: number;

  constructor(leaderPid: number) {
    this.#id = leaderPid;
  }

  /** True if there was somebody to get the signal. */
  signal(signal: NodeJS.Signals | 0): boolean {
    try {
      process.kill(-this.#id, signal);
      return true;
    } catch (error) {
      // EPERM: somebody is left, but has taken another user's identity.
      return (error as NodeJS.ErrnoException).code === "EPERM";
    }
  }

  /** Asks the whole group to end, and after the grace makes it. Settles when nobody is left or all were killed. */
  async end(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    this.signal("SIGTERM");
    while (this.signal(0) && performance.now() < deadline) await sleep(POLL_MS);
    this.signal("SIGKILL");
  }

  async kill(): Promise<void> {
    this.signal("SIGKILL");
  }
}
