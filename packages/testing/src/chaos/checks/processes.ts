import { processesMarked } from "../processes.ts";

/** No process lives that carries the mark in its environment. One that is just ending is given a moment. */
export async function checkNoProcess(mark: string, patienceMs = 2000): Promise<readonly string[]> {
  for (const deadline = performance.now() + patienceMs; ; ) {
    const left = await processesMarked(mark);
    if (left.length === 0 || performance.now() > deadline)
      return left.map(({ pid, command }) => `process ${pid} is left: ${command}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
