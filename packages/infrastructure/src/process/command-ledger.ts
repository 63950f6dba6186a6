import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type FailPoint, WITH_FAIL_POINTS } from "@cleveragents/application";
import { killMarked, marked } from "./marked-processes.ts";
import { ProcessGroup } from "./process-group.ts";
import { startOf, startOfNow } from "./process-start.ts";

/**
 * Which commands run, written down where it survives this process: whoever takes over ends what a killed one left
 * behind, before any plan goes on.
 */
export class CommandLedger {
  readonly #folder: string;
  readonly #failPoint: FailPoint | undefined;

  constructor(folder: string, failPoint?: FailPoint) {
    this.#folder = folder;
    this.#failPoint = failPoint;
  }

  /**
   * At once and synchronously: between the start of a command and this line nobody would know of it. `root` is the
   * directory that the command may write to, by which a plan's commands are found again; the mark is in the environment
   * of whoever it has started, also where these have left its group.
   */
  began(pid: number, root: string, mark = ""): void {
    if (WITH_FAIL_POINTS) this.#failPoint?.("command.started");
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    // When it began tells it from a later process of the same number.
    const start = startOfNow(pid);
    const note = (began: string) => `${began}\n${root}\n${mark}\n`;
    writeFileSync(join(this.#folder, String(pid)), note(start ?? ""));
    if (WITH_FAIL_POINTS) this.#failPoint?.("command.recorded");
    if (start !== undefined) return;
    void startOf(pid)
      .then(
        (later) =>
          later !== undefined && writeFileSync(join(this.#folder, String(pid)), note(later), { flag: "r+" }),
      )
      .catch(() => undefined);
  }

  ended(pid: number): void {
    if (WITH_FAIL_POINTS) this.#failPoint?.("command.ended");
    rmSync(join(this.#folder, String(pid)), { force: true });
  }

  /**
   * Ends the groups of all commands that are still written down, and answers how many there were. For a process that
   * has the directory to itself.
   */
  async endLeftovers(graceMs = 2000): Promise<number> {
    return this.#end(() => true, graceMs);
  }

  /**
   * Ends the commands that may write below a directory, whichever process began them: for whoever has just taken over
   * what is done there. The former worker may have died, or not know yet that it is the former one.
   */
  async endWithin(directory: string, graceMs = 2000): Promise<number> {
    return this.#end((root) => `${root}/`.startsWith(`${directory}/`), graceMs);
  }

  async #end(concerns: (root: string) => boolean, graceMs: number): Promise<number> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const ended = await Promise.all(
      (await readdir(this.#folder)).map(async (name) => {
        const noted = await readFile(join(this.#folder, name), "utf8").catch(() => undefined);
        const [start = "", root = "", mark = ""] = noted?.split("\n") ?? [];
        // Ended, and crossed out, while we looked.
        if (noted === undefined || !concerns(root)) return false;
        const found = await endGroup(Number(name), start, graceMs);
        const escaped = mark !== "" && (await marked(mark)).length > 0;
        if (escaped) await killMarked(mark);
        await rm(join(this.#folder, name), { force: true });
        return found || escaped;
      }),
    );
    return ended.filter(Boolean).length;
  }
}

/** Ends a command's group if that is still what has its number; true if there was anybody in it. */
async function endGroup(pid: number, start: string, graceMs: number): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 1) return false;
  const now = await startOf(pid);
  // No leader any more: as long as its group has members the system gives its number to nobody else.
  const ours = now === undefined || (start !== "" && now === start);
  const group = new ProcessGroup(pid);
  if (!ours || !group.signal(0)) return false;
  await group.end(graceMs);
  return true;
}
