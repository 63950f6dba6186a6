import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@cleveragents/application";
import { MOST_BYTES, readSkillFile, skillFiles } from "./skill-files.ts";

/** Kept for the next time; what was used least lately goes first. */
const KEPT = 32;

export interface SkillSnapshot {
  /** Holds the files as they were read; nobody but us writes there. */
  readonly folder: string;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
}

/**
 * Copies of skills' folders by what is in them. What is asked about, what is trusted and what is run are one copy, so
 * that a file that changes in between is not run.
 */
export class SkillSnapshots {
  readonly #folder: string;

  constructor({ folder }: { readonly folder: string }) {
    this.#folder = folder;
  }

  /** Throws `ToolError` SKILL_TOO_LARGE, or what keeps a file from being read. */
  async take(skill: string): Promise<SkillSnapshot> {
    const contents = await contentsOf(skill);
    const files = contents.map(({ path: file, sha256 }) => ({ path: file, sha256 }));
    const sha256 = sha256Of(JSON.stringify(files));
    const folder = path.join(this.#folder, sha256);
    if (!(await this.#holds(folder, files))) await this.#write(folder, contents);
    const now = new Date();
    await utimes(folder, now, now).catch(() => undefined);
    return { folder, sha256, files };
  }

  /** A command without isolation could have written to it. */
  async #holds(folder: string, files: SkillSnapshot["files"]): Promise<boolean> {
    if ((await stat(folder).catch(() => undefined)) === undefined) return false;
    const there = await contentsOf(folder).catch(() => []);
    return (
      there.length === files.length &&
      there.every((file, n) => file.path === files[n]?.path && file.sha256 === files[n]?.sha256)
    );
  }

  async #write(folder: string, contents: readonly Content[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const making = path.join(this.#folder, `.making-${randomUUID()}`);
    try {
      for (const { path: relative, bytes } of contents) {
        const file = path.join(making, relative);
        await mkdir(path.dirname(file), { recursive: true });
        const mode = bytes.subarray(0, 2).toString("latin1") === "#!" ? 0o555 : 0o444;
        await writeFile(file, bytes, { mode, flag: "wx" });
      }
      await mkdir(making, { recursive: true });
      await rm(folder, { recursive: true, force: true });
      await rename(making, folder).catch(async (error: NodeJS.ErrnoException) => {
        // Somebody else was faster, with the same content.
        if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
      });
    } finally {
      await rm(making, { recursive: true, force: true });
    }
    await this.#clean();
  }

  async #clean(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => !name.startsWith("."));
    if (names.length <= KEPT) return;
    const aged = await Promise.all(
      names.map(async (name) => ({
        name,
        at: (await stat(path.join(this.#folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
      })),
    );
    const old = aged.sort((a, b) => b.at - a.at).slice(KEPT);
    for (const { name } of old) await rm(path.join(this.#folder, name), { recursive: true, force: true });
  }
}

interface Content {
  readonly path: string;
  readonly bytes: Buffer;
  readonly sha256: string;
}

async function contentsOf(skill: string): Promise<readonly Content[]> {
  const contents: Content[] = [];
  let total = 0;
  for (const { path: relative } of await skillFiles(skill)) {
    const { bytes } = await readSkillFile(skill, relative, MOST_BYTES);
    total += bytes.length;
    // They may have grown since they were counted.
    if (total > MOST_BYTES)
      throw new ToolError("SKILL_TOO_LARGE", `the skill has more than ${MOST_BYTES} bytes`);
    contents.push({ path: relative, bytes, sha256: sha256Of(bytes) });
  }
  return contents;
}

function sha256Of(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
