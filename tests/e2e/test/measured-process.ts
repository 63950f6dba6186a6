import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, until } from "./support.ts";

/** What a process holds after everything that can be collected was collected, in MiB. */
export interface Held {
  /** Of JavaScript, and what lies beside its heap for it. */
  readonly heap: number;
  readonly rss: number;
}

/** On SIGUSR2 it collects and says what is left, in a file: standard output and error are the program's own. */
const HOOK = `
import { renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
process.on("SIGUSR2", async () => {
  for (let n = 0; n < 6; n++) { collect(); await sleep(50); }
  const { heapUsed, external, rss } = process.memoryUsage();
  const file = process.env.HELD_DIR + "/held-" + process.pid;
  writeFileSync(file + ".new", JSON.stringify({ heap: (heapUsed + external) / 2 ** 20, rss: rss / 2 ** 20 }));
  renameSync(file + ".new", file);
});
`;

/** A place where each program of ours can be asked what it holds. */
export class MeasuredPlace extends Place {
  constructor() {
    super();
    const hook = join(this.dir, "held.mjs");
    writeFileSync(hook, HOOK);
    // V8 lets its young generation grow with the load, by tens of MiB that are no longer anybody's: here it may not.
    const options = `--max-semi-space-size=16 --import=${hook}`;
    Object.assign(this.env, { HELD_DIR: this.dir, NODE_OPTIONS: options });
  }

  async held({ pid }: Pick<ChildProcess, "pid">): Promise<Held> {
    const file = join(this.dir, `held-${pid}`);
    rmSync(file, { force: true });
    process.kill(pid as number, "SIGUSR2");
    await until(() => existsSync(file), 120_000);
    return JSON.parse(readFileSync(file, "utf8")) as Held;
  }
}
