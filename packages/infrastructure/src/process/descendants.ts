import { readdir, readFile } from "node:fs/promises";

/** Everybody below a process, itself not counted. Stops beyond a number; counts nobody where the system tells no children. */
export async function countDescendants(pid: number, atMost: number): Promise<number> {
  let found = 0;
  for (const queue = [pid]; queue.length > 0 && found <= atMost; ) {
    const next = queue.pop() as number;
    for (const thread of await readdir(`/proc/${next}/task`).catch(() => [] as string[])) {
      const text = await readFile(`/proc/${next}/task/${thread}/children`, "utf8").catch(() => "");
      const children = text.split(" ").filter(Boolean).map(Number);
      found += children.length;
      queue.push(...children);
    }
  }
  return found;
}
