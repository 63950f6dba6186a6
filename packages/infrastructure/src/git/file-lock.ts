import { createHash, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startOf } from "../process/process-start.ts";
import { lstatOrNull, namesIn } from "./tree-walk.ts";
import { errorCode } from "./workspace-failure.ts";

interface Holder {
  readonly pid: number;
  readonly start: string | undefined;
  readonly token: string;
}

/** Held by one at a time, across the processes of a host. A lock whose process is dead is taken over. */
export class FileLock implements AsyncDisposable {
  readonly #file: string;
  readonly #text: string;

  private constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  /** Waits while a live process holds it, at most `patience` ms: then it is null. */
  static async acquire(directory: string, name: string, patience: number): Promise<FileLock | null> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const file = join(directory, `${createHash("sha256").update(name).digest("hex").slice(0, 32)}.lock`);
    const holder: Holder = {
      pid: process.pid,
      start: await startOf(process.pid),
      token: randomBytes(8).toString("hex"),
    };
    const text = JSON.stringify(holder);
    // Linked into place: whoever sees the lock sees who holds it.
    // Its name says whose it is before its text does.
    const own = `${file}.${holder.pid}.${holder.token}`;
    await writeFile(own, text, { flag: "wx", mode: 0o600 });
    try {
      for (let left = patience; ; left -= 50) {
        if (await linkOnce(own, file)) return new FileLock(file, text);
        if (await removeIfStale(file, own)) continue;
        if (left <= 0) return null;
        await delay(50);
      }
    } finally {
      await rm(own, { force: true });
    }
  }

  /**
   * Removes what processes that died while they waited left in a directory of locks. What has no text yet goes where the process
   * of its name is not there, or if it is older.
   */
  static async removeLeftovers(directory: string, before: number): Promise<void> {
    for (const name of await namesIn(directory)) {
      const file = join(directory, name);
      const text = await readOrNull(file);
      // A lock itself is for the next who wants it to take over.
      if (name.endsWith(".lock") || text === null || (await isAlive(text))) continue;
      const found = await lstatOrNull(file);
      // One that is new may be about to get its text.
      const isOver = holderIn(text) !== undefined || (await isAbandoned(name));
      if (isOver || (found !== null && found.mtimeMs < before)) await rm(file, { force: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if ((await readOrNull(this.#file)) === this.#text) await rm(this.#file, { force: true });
  }
}

/** Whether it was begun by a process that is not there any more. */
async function isAbandoned(name: string): Promise<boolean> {
  const pid = /\.lock\.(\d+)\.[0-9a-f]+$/.exec(name)?.[1];
  return pid !== undefined && (await startOf(Number(pid))) === undefined;
}

async function linkOnce(own: string, file: string): Promise<boolean> {
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes a dead process's lock, and no other: who looks and removes holds a guard meanwhile, so that nobody takes the
 * lock over in between. Says whether it is worth trying at once.
 */
async function removeIfStale(file: string, own: string): Promise<boolean> {
  const text = await readOrNull(file);
  if (text === null) return true;
  if (await isAlive(text)) return false;
  const guard = `${file}.guard`;
  if (!(await linkOnce(own, guard))) {
    const other = await readOrNull(guard);
    if (other !== null && !(await isAlive(other))) await rm(guard, { force: true });
    return false;
  }
  try {
    if ((await readOrNull(file)) === text) await rm(file, { force: true });
    return true;
  } finally {
    await rm(guard, { force: true });
  }
}

/** Whether the process that wrote this is still there. */
export async function isAlive(text: string): Promise<boolean> {
  const holder = holderIn(text);
  return holder !== undefined && (await startOf(holder.pid)) === holder.start;
}

function holderIn(text: string): { readonly pid: number; readonly start: string } | undefined {
  try {
    const { pid, start } = JSON.parse(text) as Partial<Holder>; // each field is checked on the next line
    return typeof pid === "number" && typeof start === "string" ? { pid, start } : undefined;
  } catch {
    return undefined;
  }
}

async function readOrNull(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
