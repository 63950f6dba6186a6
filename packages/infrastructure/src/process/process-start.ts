import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** {@link startOf} at once, where the system tells it without another process; else undefined. */
export function startOfNow(pid: number): string | undefined {
  try {
    return startIn(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return undefined;
  }
}

/** Field 22; the name in field 2 may hold spaces and brackets. */
function startIn(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? undefined : fields[19];
}

/**
 * When a process began, as text that is only good for comparing: a process id alone is given out again. Undefined if
 * there is no such process, or it has ended and nobody has collected it.
 */
export async function startOf(pid: number): Promise<string | undefined> {
  try {
    return startIn(await readFile(`/proc/${pid}/stat`, "utf8"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") return undefined;
    if (code !== "ENOENT") throw error;
  }
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)], {
      env: { LC_ALL: "C", PATH: "/bin:/usr/bin" },
    });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
