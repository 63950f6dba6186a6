import type { MergedTrees, TreesToMerge } from "@cleveragents/application";
import type { MergeConflict } from "@cleveragents/domain";
import { type EntryEdit, editedTree, entriesSince, isSameEntry, type TreeEntry } from "./merge-entries.ts";
import { markedContents, mergeOne } from "./merge-with-project.ts";
import { shownPath } from "./native-paths.ts";
import { byCodeUnit } from "./project-paths.ts";
import type { ProjectStore } from "./project-store.ts";
import { compareTrees } from "./tree-comparison.ts";

/** See `Workspace.merge`: what `theirs` changes of `base` is done to `ours`, file by file. */
export async function mergeTrees(
  store: ProjectStore,
  { base, ours, theirs, side }: TreesToMerge,
  nested: readonly string[],
): Promise<MergedTrees> {
  if (ours === base || theirs === ours) return { tree: theirs, merged: [], conflicts: [] };
  if (theirs === base) return { tree: ours, merged: [], conflicts: [] };
  const { entries } = await compareTrees(store, base, theirs, nested);
  const moved = await entriesSince(store, base, ours);
  const original = new Map(entries.map((change) => [change.previousPath ?? change.path, change.before]));
  const now = (path: string): TreeEntry | null =>
    moved.has(path) ? (moved.get(path) ?? null) : (original.get(path) ?? null);
  const standing = [...moved].flatMap(([path, entry]) => (entry === null ? [] : [path]));
  const edits: EntryEdit[] = [];
  const merged: string[] = [];
  const conflicts: MergeConflict[] = [];
  for (const change of entries) {
    const { path, previousPath, before, after } = change;
    const source = previousPath ?? path;
    const inTheWay =
      after === null ? [] : standing.filter((other) => isAbove(other, path) || isAbove(path, other));
    const result =
      inTheWay.length > 0
        ? "a folder on one side is a file on the other"
        : await mergeOne(store, change, now(source), source === path ? null : now(path));
    if (typeof result !== "string") {
      if (![null, before, result.entry].some((entry) => isSameEntry(now(source), entry)))
        merged.push(shownPath(path));
      if (source !== path && now(source) !== null) edits.push({ path: source, entry: null });
      if (!isSameEntry(now(path), result.entry)) edits.push({ path, entry: result.entry });
      continue;
    }
    if (side === "theirs") {
      for (const other of inTheWay) edits.push({ path: other, entry: null });
      if (source !== path && now(source) !== null) edits.push({ path: source, entry: null });
      edits.push({ path, entry: after });
    }
    if (side !== undefined) continue;
    conflicts.push({ path: shownPath(source), why: result });
    const marked = previousPath === undefined ? await markedContents(store, before, after, now(path)) : null;
    if (marked !== null) edits.push({ path, entry: marked });
  }
  return {
    tree: await editedTree(store, ours, edits),
    merged: merged.toSorted(byCodeUnit),
    conflicts: conflicts.toSorted((a, b) => byCodeUnit(a.path, b.path)),
  };
}

function isAbove(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`);
}
