import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { decodePath, nativePath } from "./native-paths.ts";
import { byCodeUnit, splitNul } from "./project-paths.ts";
import type { ProjectStore } from "./project-store.ts";

/** What a tree holds at a path: git's mode, and the id of the content. */
export interface TreeEntry {
  readonly mode: string;
  readonly object: string;
}

export interface EntryChange {
  readonly path: string;
  /** Where a renamed file was. */
  readonly previousPath?: string;
  readonly before: TreeEntry | null;
  readonly after: TreeEntry | null;
}

export interface EntryEdit {
  readonly path: string;
  readonly entry: TreeEntry | null;
}

/** What a tree holds at the paths that differ from another one's; null where it holds nothing. */
export async function entriesSince(
  store: ProjectStore,
  from: string,
  to: string,
): Promise<Map<string, TreeEntry | null>> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", from, to];
  const records = splitNul((await store.call(args)).stdout);
  const entries = new Map<string, TreeEntry | null>();
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [record, path] = [records[at] as Buffer, records[at + 1] as Buffer];
    const [, mode = "", , object = ""] = record.toString("latin1").slice(1).split(" ");
    entries.set(decodePath(path), entryOf(mode, object));
  }
  return entries;
}

function entryOf(mode: string, object: string): TreeEntry | null {
  return /^0+$/.test(mode) ? null : { mode, object };
}

export function isSameEntry(a: TreeEntry | null, b: TreeEntry | null): boolean {
  return a === null || b === null ? a === b : a.mode === b.mode && a.object === b.object;
}

/** What the changes do to a tree, path by path. */
export function editsOf(changes: readonly EntryChange[]): EntryEdit[] {
  return changes.flatMap(({ path, previousPath, after }) => [
    ...(previousPath === undefined ? [] : [{ path: previousPath, entry: null }]),
    { path, entry: after },
  ]);
}

/** The tree that `base` (null: the empty one) becomes by the edits. */
export async function editedTree(
  store: ProjectStore,
  base: string | null,
  edits: readonly EntryEdit[],
): Promise<string> {
  return await withScratchIndex(store, async (index) => {
    // An index that is not there yet is empty.
    if (base !== null) await store.call(["read-tree", base], { index });
    const input = indexInfo(edits);
    if (input.length > 0) await store.call(["update-index", "-z", "--index-info"], { index, input });
    return await store.writeTree(index);
  });
}

export async function withScratchIndex<T>(
  store: ProjectStore,
  work: (index: string) => Promise<T>,
): Promise<T> {
  const index = join(store.directory, `scratch-index.${randomBytes(6).toString("hex")}`);
  try {
    return await work(index);
  } finally {
    for (const suffix of ["", ".lock"]) await rm(index + suffix, { force: true });
  }
}

/** For `update-index -z --index-info`. What leaves comes first, so that a file can take the place of a directory. */
export function indexInfo(edits: readonly EntryEdit[]): Buffer {
  const leaving = edits.filter(({ entry }) => entry === null);
  const staying = edits.filter(({ entry }) => entry !== null);
  const line = ({ path, entry }: EntryEdit) => [
    Buffer.from(`${entry?.mode ?? "0"} ${entry?.object ?? "0".repeat(40)}\t`),
    Buffer.from(nativePath(path)),
    Buffer.from([0]),
  ];
  const sorted = (some: readonly EntryEdit[]) => some.toSorted((a, b) => byCodeUnit(a.path, b.path));
  return Buffer.concat([...sorted(leaving), ...sorted(staying)].flatMap(line));
}
