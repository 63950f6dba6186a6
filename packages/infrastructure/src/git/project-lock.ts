import { createHash, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { WorkspaceError } from "@cleveragents/application";
import { startOf } from "../process/process-start.ts";
import { errorCode } from "./workspace-failure.ts";

interface Holder {
  readonly pid: number;
  readonly start: string | undefined;
  readonly token: string;
}

/** Held by one apply of a project at a time, across processes. A lock whose process is dead is taken over. */
export class ProjectLock implements AsyncDisposable {
  readonly #file: string;
  readonly #text: string;

  private constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  /** Waits while a live process holds it. */
  static async acquire(directory: string, projectRoot: string, patience: number): Promise<ProjectLock> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const file = join(
      directory,
      `${createHash("sha256").update(projectRoot).digest("hex").slice(0, 32)}.lock`,
    );
    const holder: Holder = {
      pid: process.pid,
      start: await startOf(process.pid),
      token: randomBytes(8).toString("hex"),
    };
    const text = JSON.stringify(holder);
    // Linked into place: whoever sees the lock sees who holds it.
    const own = `${file}.${holder.token}`;
    await writeFile(own, text, { flag: "wx", mode: 0o600 });
    try {
      for (let left = patience; ; left -= 50) {
        if (await linkOnce(own, file)) return new ProjectLock(file, text);
        if (await removeIfStale(file, own)) continue;
        if (left <= 0)
          throw new WorkspaceError(
            "GIT_FAILED",
            `another apply is at work in ${projectRoot}`,
            "try again when it has ended",
          );
        await delay(50);
      }
    } finally {
      await rm(own, { force: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if ((await readOrNull(this.#file)) === this.#text) await rm(this.#file, { force: true });
  }
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

/** Moves a dead process's lock away; if another took it over meanwhile, gives it back. */
async function removeIfStale(file: string, own: string): Promise<boolean> {
  const text = await readOrNull(file);
  if (text === null) return true;
  if (await isAlive(text)) return false;
  const aside = `${own}.stale`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return true;
    throw error;
  }
  if ((await readOrNull(aside)) !== text) await linkOnce(aside, file);
  await rm(aside, { force: true });
  return true;
}

async function isAlive(text: string): Promise<boolean> {
  try {
    const holder = JSON.parse(text) as Partial<Holder>; // each field is checked on the next line
    if (typeof holder.pid !== "number" || typeof holder.start !== "string") return false;
    return (await startOf(holder.pid)) === holder.start;
  } catch {
    return false;
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
