import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AppliedFiles } from "@cleveragents/application";
import { syncDirectory, writeDurably } from "./durable-files.ts";
import { lstatOrNull, namesIn } from "./tree-walk.ts";
import { errorCode } from "./workspace-failure.ts";

interface FinishedApply {
  readonly projectRoot: string;
  readonly digest: string;
  readonly files: AppliedFiles;
}

/**
 * Which applies have ended, one per plan, until somebody has seen the plan end: a process that dies in between must not
 * take what the user does to the files meanwhile for drift.
 */
export class FinishedApplies {
  readonly #directory: string;

  constructor(journals: string) {
    this.#directory = join(journals, "done");
  }

  /** Durable when it answers. */
  async remember(planId: string, finished: FinishedApply): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    await syncDirectory(join(this.#directory, ".."));
    await writeDurably(this.#file(planId), JSON.stringify({ version: 1, ...finished }));
  }

  /** What this very apply has written, if it has ended. */
  async find(planId: string, apply: Omit<FinishedApply, "files">): Promise<AppliedFiles | null> {
    try {
      const found = JSON.parse(await readFile(this.#file(planId), "utf8")) as FinishedApply; // written by us, atomically
      return found.digest === apply.digest && found.projectRoot === apply.projectRoot ? found.files : null;
    } catch (error) {
      if (errorCode(error) === "ENOENT" || error instanceof SyntaxError) return null;
      throw error;
    }
  }

  async forget(planId: string): Promise<void> {
    for (const suffix of ["", ".new"]) await rm(this.#file(planId) + suffix, { force: true });
  }

  async plans(): Promise<string[]> {
    return (await namesIn(this.#directory)).map((name) => name.slice(0, name.indexOf(".")));
  }

  async since(planId: string): Promise<number | undefined> {
    return (await lstatOrNull(this.#file(planId)))?.mtimeMs;
  }

  #file(planId: string): string {
    return join(this.#directory, `${planId}.json`);
  }
}
