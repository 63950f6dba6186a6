import { setTimeout as sleep } from "node:timers/promises";
import type { ProcessTree } from "./command-launcher.ts";
import { killMarked, marked, signalAll } from "./marked-processes.ts";
import { ProcessGroup } from "./process-group.ts";

const POLL_MS = 50;

/** A plain command's group, and whoever has left it but still carries the command's mark. */
export class MarkedTree implements ProcessTree {
  readonly #group: ProcessGroup;
  readonly #mark: string;

  constructor(pid: number, mark: string) {
    this.#group = new ProcessGroup(pid);
    this.#mark = mark;
  }

  async end(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    this.#group.signal("SIGTERM");
    signalAll(await marked(this.#mark), "SIGTERM");
    while (performance.now() < deadline && (this.#group.signal(0) || (await marked(this.#mark)).length > 0))
      await sleep(POLL_MS);
    await this.kill();
  }

  async count(): Promise<number> {
    return (await marked(this.#mark)).length;
  }

  async kill(): Promise<void> {
    this.#group.signal("SIGKILL");
    await killMarked(this.#mark);
  }
}
