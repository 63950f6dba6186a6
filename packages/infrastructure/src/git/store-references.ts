import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode, isAbsence } from "./workspace-failure.ts";

export interface Reference {
  readonly name: string;
  readonly object: string;
}

/**
 * The references of a private store, as files: git's own format, since git's collection has to see them, without starting
 * git for each. A name is given once and its object never changes, or it does not matter who comes last; so no lock is
 * taken, and one that a killed process left could not get in the way.
 */
export class StoreReferences {
  readonly #directory: string;
  /** Asks git to delete references that it has packed. */
  readonly #deletePacked: (names: readonly string[]) => Promise<void>;

  constructor(directory: string, deletePacked: (names: readonly string[]) => Promise<void>) {
    this.#directory = directory;
    this.#deletePacked = deletePacked;
  }

  /** Atomic, and durable as far as its content goes: after a crash there is the name with all of it, or none. */
  async set(name: string, object: string): Promise<void> {
    const file = join(this.#directory, name);
    // By its ending git takes it for no reference.
    const fresh = `${file}.${randomBytes(6).toString("hex")}.lock`;
    for (let tries = 3; ; tries--) {
      try {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await writeSynced(fresh, `${object}\n`);
        await rename(fresh, file);
        return;
      } catch (error) {
        await rm(fresh, { force: true });
        // While git packs references it removes directories that it has emptied.
        if (tries === 1 || errorCode(error) !== "ENOENT") throw error;
      }
    }
  }

  async get(name: string): Promise<string | undefined> {
    const loose = await objectIn(join(this.#directory, name));
    return loose ?? (await this.#packed()).get(name);
  }

  /** Every reference below `refs/…` that is named. */
  async below(folder: string): Promise<Reference[]> {
    const found = new Map<string, string>();
    const visit = async (path: string): Promise<void> => {
      for (const entry of await entriesIn(join(this.#directory, path))) {
        const name = `${path}/${entry.name}`;
        if (entry.isDirectory()) await visit(name);
        else if (!entry.name.endsWith(".lock")) {
          const object = await objectIn(join(this.#directory, name));
          if (object !== undefined) found.set(name, object);
        }
      }
    };
    await visit(folder);
    // Read last: what is packed meanwhile is in the one place before it leaves the other.
    for (const [name, object] of await this.#packed())
      if (name.startsWith(`${folder}/`) && !found.has(name)) found.set(name, object);
    return [...found].map(([name, object]) => ({ name, object }));
  }

  /** The names right below a folder of references, also of folders that nothing is left in. */
  async names(folder: string): Promise<string[]> {
    const names = new Set((await entriesIn(join(this.#directory, folder))).map((entry) => entry.name));
    for (const name of (await this.#packed()).keys())
      if (name.startsWith(`${folder}/`)) names.add(name.slice(folder.length + 1).split("/")[0] ?? "");
    return [...names];
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) await rm(join(this.#directory, name), { force: true });
    const packed = await this.#packed();
    const left = names.filter((name) => packed.has(name));
    if (left.length > 0) await this.#deletePacked(left);
  }

  async #packed(): Promise<ReadonlyMap<string, string>> {
    const text = await readFile(join(this.#directory, "packed-refs"), "utf8").catch(() => "");
    const lines = text.matchAll(/^([0-9a-f]{40}) (refs\/.+)$/gm);
    return new Map([...lines].map(([, object = "", name = ""]) => [name, object]));
  }
}

async function writeSynced(file: string, text: string): Promise<void> {
  await using handle = await open(file, "wx", 0o600);
  await handle.writeFile(text);
  await handle.sync();
}

async function objectIn(file: string): Promise<string | undefined> {
  try {
    return /^[0-9a-f]{40}(?=\n$)/.exec(await readFile(file, "latin1"))?.[0];
  } catch (error) {
    if (isAbsence(error) || errorCode(error) === "EISDIR") return undefined;
    throw error;
  }
}

async function entriesIn(directory: string) {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}
