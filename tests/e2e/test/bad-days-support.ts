import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { processesWith } from "./replicas-fixtures.ts";
import { isAlive, type Place, until } from "./support.ts";

/** Why no file system can be mounted here; undefined where one can. */
export const noMount: string | undefined = (() => {
  const folder = mkdtempSync(join(tmpdir(), "agents-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder]);
    return undefined;
  } catch {
    return "mounting needs root and CAP_SYS_ADMIN";
  } finally {
    rmSync(folder, { recursive: true });
  }
})();

/** A small disk of its own; gone when the test is over. */
export class SmallDisk implements Disposable {
  readonly path: string;
  readonly #ballast: string;

  constructor(path: string, size: string) {
    this.path = path;
    this.#ballast = join(path, "ballast");
    mkdirSync(path, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=0700`, "tmpfs", path]);
  }

  /** Leaves as many bytes free as are asked for. */
  fill(leave = 0): void {
    const { bavail, bsize } = statfsSync(this.path);
    const file = openSync(this.#ballast, "a");
    const block = Buffer.alloc(bsize);
    try {
      for (let left = bavail * bsize - leave; left > 0; left -= bsize) writeSync(file, block);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true });
  }

  /** Waits for those who have files open to write to; an owner of this data directory is asked to leave. */
  async remount(mode: "ro" | "rw", dataDir = this.path): Promise<void> {
    await until(() => {
      try {
        execFileSync("mount", ["-o", `remount,${mode}`, this.path], { stdio: "ignore" });
        return true;
      } catch {
        endOwner(dataDir);
        return false;
      }
    });
  }

  [Symbol.dispose](): void {
    execFileSync("umount", ["-l", this.path]);
  }
}

/** A project and an action of these steps; answers a plan of it, not started. */
export async function usedPlan(place: Place, project: string, steps: string): Promise<string> {
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "a.txt"), "a\n");
  const yaml = join(place.dir, "action.yaml");
  writeFileSync(yaml, `name: it\ndescription: d\ndefinition_of_done: d\nscript:\n  steps:\n${steps}`);
  for (const args of [
    ["project", "create", "p", "--path", project],
    ["action", "add", yaml],
  ]) {
    const ran = await place.agents(args);
    if (ran.code !== 0) throw new Error(ran.stderr);
  }
  return newPlan(place);
}

export async function newPlan(place: Place): Promise<string> {
  const used = await place.agents(["plan", "use", "it", "-o", "json"]);
  return (JSON.parse(used.stdout) as { plan_id: string }).plan_id;
}

/** What `plan status` says, as text; empty while it cannot be asked. */
export async function statusOf(place: Place, id: string): Promise<string> {
  return (await place.agents(["plan", "status", id, "-o", "json"])).stdout;
}

/** One that begins as the cause goes away is as good as any; here it stands in the way. */
function endOwner(dataDir: string): void {
  try {
    const { pid } = JSON.parse(readFileSync(join(dataDir, "owner.json"), "utf8")) as { pid: number };
    process.kill(pid, "SIGTERM");
  } catch {
    // There is none.
  }
}

/** An owner that is gone, and a plan that waits for its apply. */
export async function left(place: Place, signal: NodeJS.Signals): Promise<string> {
  mkdirSync(place.dataDir);
  const steps =
    "    - write: { path: b.txt, content: b }\n    - wait: { seconds: 1 }\n    - write: { path: c.txt, content: c }\n";
  const id = await usedPlan(place, join(place.dir, "project"), steps);
  expect((await place.agents(["plan", "execute", id])).code).toBe(0);
  await endOwners(place, signal);
  return id;
}

/**
 * Ends the owner of a place, and those that wait for it to leave: on a slow day a command starts a second one, which
 * would take over.
 */
export async function endOwners(place: Place, signal: NodeJS.Signals): Promise<void> {
  const { pid } = place.discovery();
  for (const each of processesWith(place.dataDir)) if (each !== pid) process.kill(each, "SIGKILL");
  process.kill(pid, signal);
  await until(() => !isAlive(pid) && processesWith(place.dataDir).length === 0);
}

export function overwrite(file: string, from: number, length: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0x5a, from, Math.min(bytes.length, from + length));
  writeFileSync(file, bytes);
}

export async function waitsForApply(place: Place, id: string): Promise<void> {
  await until(async () => {
    const status = await statusOf(place, id);
    return status.includes("TASK_STATE_INPUT_REQUIRED") && status.includes('"digest"');
  }, 90_000);
}
