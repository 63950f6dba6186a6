import { readdir, readFile } from "node:fs/promises";

const CLOSED_ON_EXEC = 0o2000000;

/**
 * The file descriptors that programs started by this process would inherit beside the standard ones. Node.js marks its
 * own as not to be inherited; whoever has started this process may have left others open.
 */
export async function inheritedDescriptors(): Promise<number[]> {
  const inherited: number[] = [];
  for (const name of await readdir("/proc/self/fd").catch(() => [] as string[])) {
    const text = await readFile(`/proc/self/fdinfo/${name}`, "utf8").catch(() => "");
    const flags = /^flags:\s+([0-7]+)$/m.exec(text)?.[1];
    if (flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0 && Number(name) > 2)
      inherited.push(Number(name));
  }
  return inherited;
}
