import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { onFile } from "./file-failure.ts";
import { isProtected } from "./protected-path.ts";

/** Files that one look may find. */
const MAX_FILES = 50_000;

/** Files below a folder as the plan knows them, nearest first; a file is itself. Links are not followed. */
export async function walkFiles(
  absolute: string,
  relative: string,
  signal: AbortSignal,
): Promise<{ readonly files: readonly string[]; readonly truncated: boolean }> {
  const files: string[] = [];
  const queue = [""];
  for (let below = queue.shift(); below !== undefined && !signal.aborted; below = queue.shift()) {
    const shown = path.join(relative, below);
    const entries = await onFile(shown, () => list(path.join(absolute, below ?? "")));
    if (entries === undefined) return { files: [relative], truncated: false };
    for (const entry of entries) {
      if (entry.isDirectory()) queue.push(path.join(below, entry.name));
      else if (entry.isFile()) files.push(path.join(shown, entry.name));
      if (files.length >= MAX_FILES) return { files, truncated: true };
    }
  }
  return { files, truncated: false };
}

/** By code unit: the same order on every host. Undefined for a file. */
async function list(directory: string): Promise<Dirent[] | undefined> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.filter(({ name }) => !isProtected(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}
