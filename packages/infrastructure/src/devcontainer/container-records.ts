import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** A container that was made for a plan, or was about to be. */
export interface ContainerRecord {
  readonly planId: string;
  readonly contextId: string;
  /** Of a description by a compose file: its containers have a label of this name. */
  readonly composeProject?: string;
}

/**
 * Which plans have containers, one file each, written before a container is made and removed after it is: a process
 * that was killed leaves behind what its successor has to stop.
 */
export class ContainerRecords {
  readonly #folder: string;
  #known: Promise<Map<string, ContainerRecord>> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async all(): Promise<readonly ContainerRecord[]> {
    return [...(await this.#read()).values()];
  }

  async find(planId: string): Promise<ContainerRecord | undefined> {
    return (await this.#read()).get(planId);
  }

  async write(record: ContainerRecord): Promise<void> {
    const known = await this.#read();
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.#file(record.planId);
    try {
      await writeFile(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
      await rename(`${file}.new`, file);
    } catch (error) {
      await rm(`${file}.new`, { force: true }).catch(() => undefined);
      throw error;
    }
    known.set(record.planId, record);
  }

  async remove(planId: string): Promise<void> {
    await rm(this.#file(planId), { force: true });
    (await this.#read()).delete(planId);
  }

  #file(planId: string): string {
    return path.join(this.#folder, `${encodeURIComponent(planId)}.json`);
  }

  #read(): Promise<Map<string, ContainerRecord>> {
    this.#known ??= this.#load();
    return this.#known;
  }

  async #load(): Promise<Map<string, ContainerRecord>> {
    const names = await readdir(this.#folder).catch(() => [] as string[]);
    const records = await Promise.all(
      names
        .filter((name) => name.endsWith(".json"))
        .map(async (name): Promise<ContainerRecord[]> => {
          try {
            return [JSON.parse(await readFile(path.join(this.#folder, name), "utf8")) as ContainerRecord];
          } catch {
            return []; // somebody else's, or just gone
          }
        }),
    );
    return new Map(records.flat().map((record) => [record.planId, record]));
  }
}
