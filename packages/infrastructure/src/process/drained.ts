import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";

const QUIET_MS = 50;
const AT_MOST_MS = 1000;

/**
 * After the command has ended: settles when its pipes are read to the end. A process that escaped from the group may
 * hold them open for ever, so quiet pipes count as read, and noisy ones are cut off.
 */
export async function drained(child: ChildProcess, closed: Promise<void>): Promise<void> {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
  };
  child.stdout?.on("data", count);
  child.stderr?.on("data", count);
  const deadline = performance.now() + AT_MOST_MS;
  for (let before = -1; before !== bytes && performance.now() < deadline; ) {
    before = bytes;
    if (await Promise.race([closed.then(() => true), sleep(QUIET_MS, false)])) return;
    await turn(); // a late timer comes before what is there to be read
  }
  child.stdout?.destroy();
  child.stderr?.destroy();
}
