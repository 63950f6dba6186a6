import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** In the environment of a plain command, and so of everybody that it starts, wherever in sessions and groups they are. */
export const MARK = "CLEVERAGENTS_COMMAND";

const ROUNDS = 50;
const POLL_MS = 20;

/** Processes with the mark. Linux only; one that has emptied its environment is not found. */
export async function marked(mark: string): Promise<number[]> {
  const entry = `${MARK}=${mark}`;
  const names = (await readdir("/proc").catch(() => [] as string[])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const environment = await readFile(`/proc/${name}/environ`, "latin1").catch(() => "");
      return environment.split("\0").includes(entry) ? [Number(name)] : [];
    }),
  );
  return found.flat().filter((pid) => pid !== process.pid);
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // gone by itself
    }
  }
}

/** Kills until nobody is left, since who is found may have started others meanwhile. All are stopped before any is killed. */
export async function killMarked(mark: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await marked(mark);
    if (found.length === 0) return;
    signalAll(found, "SIGSTOP");
    signalAll(found, "SIGKILL");
    if (round > 0) await sleep(POLL_MS);
  }
}
