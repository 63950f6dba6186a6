import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ProcessGroup } from "./process-group.ts";
import { startOf } from "./process-start.ts";

/**
 * Which commands run, written down where it survives this process: whoever takes over ends what a killed one left
 * behind, before any plan goes on.
 */
export class CommandLedger {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** At once and synchronously: between the start of a command and this line nobody would know of it. */
  began(pid: number): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(this.#folder, String(pid)), "");
    // When it began tells it from a later process of the same number.
    void startOf(pid)
      .then(
        (start) =>
          start !== undefined && writeFileSync(join(this.#folder, String(pid)), start, { flag: "r+" }),
      )
      .catch(() => undefined);
  }

  ended(pid: number): void {
    rmSync(join(this.#folder, String(pid)), { force: true });
  }

  /** Ends the groups of commands that are still written down, and answers how many there were. */
  async endLeftovers(graceMs = 2000): Promise<number> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    let ended = 0;
    for (const name of await readdir(this.#folder)) {
      const pid = Number(name);
      const noted = await readFile(join(this.#folder, name), "utf8").catch(() => "");
      const now = Number.isSafeInteger(pid) && pid > 1 ? await startOf(pid) : undefined;
      // No leader any more: as long as its group has members the system gives its number to nobody else.
      const ours = now === undefined || (noted !== "" && now === noted);
      const group = new ProcessGroup(pid);
      if (Number.isSafeInteger(pid) && pid > 1 && ours && group.signal(0)) {
        await group.end(graceMs);
        ended++;
      }
      await rm(join(this.#folder, name), { force: true });
    }
    return ended;
  }
}
