import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { languageOf } from "@cleveragents/domain";
import { DEPENDENCY_FOLDERS } from "../bubblewrap/dependency-folders.ts";

const SKIPPED: ReadonlySet<string> = new Set([".git", ".hg", ".svn", ...DEPENDENCY_FOLDERS]);
/** More files than that are not looked at: a language server has its own ways with such a tree. */
const AT_MOST = 50_000;

/** Files of a folder and below, relative to the root, links and dependencies left out; folder by folder. */
export async function* walkFiles(root: string, folder = "", atMost = AT_MOST): AsyncGenerator<string> {
  let seen = 0;
  for (const queue = [folder]; queue.length > 0; ) {
    const next = queue.shift() as string;
    const entries: Dirent[] = await readdir(path.join(root, next), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const relative = next === "" ? entry.name : `${next}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) queue.push(relative);
      if (!entry.isFile()) continue;
      seen += 1;
      if (seen > atMost) return;
      yield relative;
    }
  }
}

/** The languages of a project's files, the most frequent first. */
export async function languagesIn(root: string): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  for await (const file of walkFiles(root, "", 20_000)) {
    const language = languageOf(file);
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([language]) => language);
}

/** What tells a file's content from another without reading it. */
export type FileStamps = ReadonlyMap<string, string>;

export async function stampsOf(root: string, concerns: (file: string) => boolean): Promise<FileStamps> {
  const stamps = new Map<string, string>();
  for await (const file of walkFiles(root)) {
    if (!concerns(file)) continue;
    const stats = await lstat(path.join(root, file)).catch(() => undefined);
    if (stats !== undefined) stamps.set(file, `${stats.mtimeMs}:${stats.ctimeMs}:${stats.size}:${stats.ino}`);
  }
  return stamps;
}

export interface ChangedFile {
  readonly file: string;
  /** As LSP counts: created, changed, deleted. */
  readonly type: 1 | 2 | 3;
}

export function changedBetween(before: FileStamps, after: FileStamps): ChangedFile[] {
  const changed: ChangedFile[] = [];
  for (const [file, stamp] of after) {
    const old = before.get(file);
    if (old === undefined) changed.push({ file, type: 1 });
    else if (old !== stamp) changed.push({ file, type: 2 });
  }
  for (const file of before.keys()) if (!after.has(file)) changed.push({ file, type: 3 });
  return changed;
}
