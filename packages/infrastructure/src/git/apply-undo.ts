import type { ComparedTrees } from "@cleveragents/application";
import { type EntryChange, type EntryEdit, editedTree, editsOf } from "./merge-entries.ts";
import { splitNul } from "./project-paths.ts";
import { type ProjectStore, UNDO } from "./project-store.ts";
import type { Reference } from "./store-references.ts";
import { compareTrees } from "./tree-comparison.ts";

/** How long an apply can be undone. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

const NO_FILES = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/**
 * What undoes an apply, kept beyond the plan that it belonged to: two trees of nothing but the changed paths, as they
 * were `before` and `after` it, in one tree under these names. `<planId>/<when>` is in the reference's name, since
 * references of trees have no date.
 */
export async function keepUndo(
  store: ProjectStore,
  planId: string,
  now: number,
  changes: readonly EntryChange[],
): Promise<void> {
  const before = changes.map(({ path, previousPath, before: entry }) => ({
    path: previousPath ?? path,
    entry,
  }));
  const within = (side: string, edits: readonly EntryEdit[]) =>
    edits.flatMap(({ path, entry }) => (entry === null ? [] : [{ path: `${side}/${path}`, entry }]));
  const both = [...within("before", before), ...within("after", editsOf(changes))];
  const pair = await editedTree(store, null, both);
  const former = await store.references.below(`${UNDO}/${planId}`);
  const name = `${UNDO}/${planId}/${Math.max(0, Math.floor(now))}/pair`;
  // Contents of a former try stay until the new ones are named.
  await store.references.set(name, pair);
  await store.references.remove(former.map(({ name }) => name).filter((old) => old !== name));
}

/** The exact inverse of what the plan's apply did; undefined if it is not kept, or not any more. */
export async function findUndo(store: ProjectStore, planId: string): Promise<ComparedTrees | undefined> {
  const kept = await store.references.below(`${UNDO}/${planId}`);
  const pair = kept.toSorted((a, b) => timeOf(b) - timeOf(a))[0]?.object;
  if (pair === undefined) return undefined;
  const sides = new Map<string, string>();
  for (const record of splitNul((await store.call(["ls-tree", "-z", pair])).stdout)) {
    // `<mode> tree <object>\t<side>`
    const [, object = "", side = ""] = /^\d+ tree (\w+)\t(\w+)$/.exec(record.toString("latin1")) ?? [];
    sides.set(side, object);
  }
  const [from, to] = [sides.get("after") ?? NO_FILES, sides.get("before") ?? NO_FILES];
  const { changeset, digest, patch } = await compareTrees(store, from, to, []);
  return { from, to, changeset, digest, patch };
}

/** Lets go of what was kept for longer than an apply can be undone. */
export async function expireUndo(store: ProjectStore, now: number): Promise<void> {
  const old = (await store.references.below(UNDO)).filter((kept) => timeOf(kept) < now - KEPT_MS);
  if (old.length === 0) return;
  await store.references.remove(old.map(({ name }) => name));
  await store.collection.released(now);
}

function timeOf({ name }: Reference): number {
  return Number(name.split("/").at(-2));
}
