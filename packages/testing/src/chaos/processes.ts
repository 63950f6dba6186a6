import { readdir, readFile } from "node:fs/promises";

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * The processes whose environment holds a text, which children inherit. A process that has ended and that nobody has
 * collected is none. Where there is no /proc, none are found.
 */
export async function processesMarked(mark: string): Promise<readonly FoundProcess[]> {
  const found: FoundProcess[] = [];
  for (const name of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await readFile(`/proc/${name}/environ`, "utf8").catch(() => "");
    if (!environment.includes(mark)) continue;
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    if (command !== "") found.push({ pid: Number(name), command: command.replaceAll("\0", " ").trim() });
  }
  return found;
}
