import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { open, readdir, rm, rmdir, stat } from "node:fs/promises";
import path from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { KeptOutput, Logger, OutputPage, OutputStore, OutputWriter } from "@cleveragents/application";

/** Written at a time, so that small pieces of output cost no system call each. */
const WRITTEN_BYTES = 64 * 1024;
const ID = /^[\w-]{1,100}$/;

export interface OutputFilesDeps {
  /** Ours alone. */
  readonly folder: string;
  /** Bytes of all outputs together. */
  readonly quota: number;
  readonly keepMs: number;
  readonly now: () => number;
  readonly logger?: Logger;
}

/** Long outputs as files, one for each command. */
export class OutputFiles implements OutputStore {
  readonly #deps: OutputFilesDeps;
  /** One after the other, so that two that begin do not both make room by the same files. */
  #tidying: Promise<void> = Promise.resolve();

  constructor(deps: OutputFilesDeps) {
    this.#deps = deps;
  }

  begin(planId: string, artifactId: string): OutputWriter {
    const file = this.#fileOf(planId, artifactId);
    if (file === undefined) throw new TypeError("ids of plans and artifacts are letters, digits, _ and -");
    // No single one takes all the room that there is for the others.
    const limit = Math.floor(this.#deps.quota / 4);
    const writer = new FileWriter(file, limit, this.#deps.logger);
    return {
      write: (text) => writer.write(text),
      end: async () => {
        const ended = writer.end();
        this.#tidying = this.#tidying.then(() => this.#tidy(file)).catch(() => undefined);
        await this.#tidying;
        return ended;
      },
    };
  }

  async list(planId: string): Promise<readonly KeptOutput[]> {
    if (!ID.test(planId)) return [];
    const folder = path.join(this.#deps.folder, planId);
    const names = await readdir(folder).catch(() => []);
    const sizes = await Promise.all(
      names.map((name) => stat(path.join(folder, name)).catch(() => undefined)),
    );
    return names
      .flatMap((name, at): KeptOutput[] => {
        const size = sizes[at]?.size;
        return size === undefined ? [] : [{ artifactId: name, size }];
      })
      .sort((a, b) => a.artifactId.localeCompare(b.artifactId, "en", { numeric: true }));
  }

  async read(
    planId: string,
    artifactId: string,
    offset: number,
    atMost: number,
  ): Promise<OutputPage | undefined> {
    const file = this.#fileOf(planId, artifactId);
    const handle = file === undefined ? undefined : await open(file).catch(() => undefined);
    if (handle === undefined) return undefined;
    try {
      const { size } = await handle.stat();
      // A character that the page would cut is read with it; one that begins before it is the page's before.
      const bytes = Buffer.alloc(Math.max(0, Math.min(atMost + 4, size - offset)));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset);
      const from = offset === 0 ? 0 : boundary(bytes, 0);
      const to =
        offset + bytesRead >= size && bytesRead <= atMost
          ? bytesRead
          : boundary(bytes, Math.min(atMost, bytesRead));
      const next = offset + to;
      return {
        text: new StringDecoder("utf8").end(bytes.subarray(from, to)),
        ...(next < size ? { next } : {}),
        size,
      };
    } finally {
      await handle.close();
    }
  }

  #fileOf(planId: string, artifactId: string): string | undefined {
    if (!ID.test(planId) || !ID.test(artifactId)) return undefined;
    return path.join(this.#deps.folder, planId, artifactId);
  }

  /** Removes what is too old, and the oldest of the rest until they fit; the newest stays. */
  async #tidy(newest: string): Promise<void> {
    const { folder, quota, keepMs, now } = this.#deps;
    const found: { file: string; size: number; at: number }[] = [];
    const plans = await readdir(folder);
    for (const plan of plans)
      for (const name of await readdir(path.join(folder, plan)).catch(() => [])) {
        const file = path.join(folder, plan, name);
        const stats = await stat(file).catch(() => undefined);
        if (stats?.isFile() === true) found.push({ file, size: stats.size, at: stats.mtimeMs });
      }
    found.sort((a, b) => b.at - a.at);
    let held = 0;
    for (const { file, size, at } of found) {
      held += size;
      if (file !== newest && (held > quota || at + keepMs < now())) await rm(file, { force: true });
    }
    for (const plan of plans) await rmdir(path.join(folder, plan)).catch(() => undefined); // the empty ones
  }
}

/** The first place from `at` on where a character begins. */
function boundary(bytes: Buffer, at: number): number {
  let place = at;
  while (place < bytes.length && place < at + 4 && ((bytes[place] ?? 0) & 0xc0) === 0x80) place += 1;
  return place;
}

/** Synchronous, since nobody could hold back the command meanwhile. */
class FileWriter {
  readonly #limit: number;
  readonly #logger: Logger | undefined;
  #file: number | undefined;
  #pending: Buffer[] = [];
  #waiting = 0;
  #bytes = 0;
  #kept = 0;

  constructor(file: string, limit: number, logger: Logger | undefined) {
    this.#limit = limit;
    this.#logger = logger;
    this.#guarded(() => {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      this.#file = openSync(file, "w", 0o600);
    });
  }

  write(text: string): void {
    const bytes = Buffer.from(text, "utf8");
    this.#bytes += bytes.length;
    if (this.#file === undefined) return;
    const room = this.#limit - this.#kept - this.#waiting;
    const taken = bytes.length <= room ? bytes : bytes.subarray(0, lastBoundary(bytes, room));
    this.#pending.push(taken);
    this.#waiting += taken.length;
    if (this.#waiting >= WRITTEN_BYTES) this.#flush();
    if (taken.length < bytes.length) this.#close();
  }

  end(): { readonly bytes: number; readonly kept: number } {
    this.#close();
    return { bytes: this.#bytes, kept: this.#kept };
  }

  #close(): void {
    this.#flush();
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) this.#guarded(() => closeSync(file));
  }

  #flush(): void {
    const file = this.#file;
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#waiting = 0;
    if (file === undefined || bytes.length === 0) return;
    this.#guarded(() => {
      for (let at = 0; at < bytes.length; ) {
        const written = writeSync(file, bytes, at);
        at += written;
        this.#kept += written;
      }
    });
  }

  /** A full disk ends the file where it is, and not the command. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      const file = this.#file;
      this.#file = undefined;
      this.#logger?.warn({ error: String(error) }, "the rest of a command's output was not kept");
      try {
        if (file !== undefined) closeSync(file);
      } catch {
        // as full as before
      }
    }
  }
}

/** Where the last character that ends at or before `at` ends. */
function lastBoundary(bytes: Buffer, at: number): number {
  let place = Math.max(0, at);
  while (place > 0 && ((bytes[place] ?? 0) & 0xc0) === 0x80) place -= 1;
  return place;
}
