import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startOf } from "../process/process-start.ts";
import { isAlive } from "./file-lock.ts";
import type { ProjectStore } from "./project-store.ts";
import { namesIn } from "./tree-walk.ts";

/** When something was first and last let go of since the store was collected. */
interface Mark {
  readonly since: number;
  readonly last: number;
}

/** When a store's contents may be thrown away, and that it happens. */
export class StoreCollection {
  readonly #store: ProjectStore;
  readonly #mark: string;
  readonly #makers: string;

  constructor(store: ProjectStore) {
    this.#store = store;
    this.#mark = join(store.directory, "released");
    this.#makers = join(store.directory, "makers");
  }

  /** Said by who is about to take contents into the store, until a reference keeps them; `made` ends it. */
  async making(planId: string): Promise<void> {
    const text = JSON.stringify({ pid: process.pid, start: await startOf(process.pid) });
    await mkdir(this.#makers, { recursive: true, mode: 0o700 });
    await writeFile(join(this.#makers, planId), text);
  }

  async made(planId: string): Promise<void> {
    await rm(join(this.#makers, planId), { force: true });
  }

  /** Contents were let go of. */
  async released(now: number): Promise<void> {
    await this.#write({ since: (await this.#read())?.since ?? now, last: now });
  }

  /**
   * Throws away what nothing has referred to since `before`, if something was let go of before then; says whether. Not
   * while somebody takes in contents: those that are linked from the user's repository look old from the start.
   */
  async collect(before: number, now: number): Promise<boolean> {
    const mark = await this.#read();
    if (mark === null || mark.since > before) return false;
    for (const planId of await namesIn(this.#makers)) {
      const text = await readFile(join(this.#makers, planId), "utf8").catch(() => "");
      if (await isAlive(text)) return false;
      await this.made(planId);
    }
    // What was let go of later may be too young to go this time.
    if (mark.last > mark.since) await this.#write({ since: now, last: now });
    else await rm(this.#mark, { force: true });
    const expire = `--prune=@${Math.floor(before / 1000)}`;
    await this.#store.call(["gc", "--quiet", expire], { accept: [0, 128] });
    return true;
  }

  async #read(): Promise<Mark | null> {
    const text = await readFile(this.#mark, "utf8").catch(() => null);
    if (text === null) return null;
    try {
      return JSON.parse(text) as Mark; // written by us
    } catch {
      return { since: 0, last: 1 }; // cut short: collect, and look again
    }
  }

  async #write(mark: Mark): Promise<void> {
    await writeFile(this.#mark, JSON.stringify(mark));
  }
}
