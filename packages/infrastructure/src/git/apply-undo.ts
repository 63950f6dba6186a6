import type { ComparedTrees } from "@cleveragents/application";
import { type EntryChange, editedTree, editsOf } from "./merge-entries.ts";
import type { ProjectStore } from "./project-store.ts";
import { compareTrees } from "./tree-comparison.ts";

/** How long an apply can be undone. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

const APPLIES = "refs/undo";

/**
 * What undoes an apply, kept beyond the plan that it belonged to: two trees of nothing but the changed paths, as they
 * were before and after it. `<planId>/<when>` is in the reference's name, since references of trees have no date.
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
  const present = ({ entry }: { entry: unknown }) => entry !== null;
  const trees = {
    before: await editedTree(store, null, before.filter(present)),
    after: await editedTree(store, null, editsOf(changes).filter(present)),
  };
  const former = (await references(store, `${APPLIES}/${planId}/`)).map(({ name }) => `delete ${name}\n`);
  const at = Math.max(0, Math.floor(now));
  // Contents of a former try stay until the new ones are named, and all of it happens or none.
  const made = Object.entries(trees).map(
    ([side, tree]) => `update ${APPLIES}/${planId}/${at}/${side} ${tree}\n`,
  );
  const gone = former.filter((line) => !line.startsWith(`delete ${APPLIES}/${planId}/${at}/`));
  await store.call(["update-ref", "--stdin"], { input: [...gone, ...made].join("") });
}

/** The exact inverse of what the plan's apply did; undefined if it is not kept, or not any more. */
export async function findUndo(store: ProjectStore, planId: string): Promise<ComparedTrees | undefined> {
  const found = await references(store, `${APPLIES}/${planId}/`);
  const tree = (side: string) => found.find(({ name }) => name.endsWith(`/${side}`))?.tree;
  const [from, to] = [tree("after"), tree("before")];
  if (from === undefined || to === undefined) return undefined;
  const { changeset, digest, patch } = await compareTrees(store, from, to, []);
  return { from, to, changeset, digest, patch };
}

/** Lets go of what was kept for longer than an apply can be undone. */
export async function expireUndo(store: ProjectStore, now: number): Promise<void> {
  const old = (await references(store, `${APPLIES}/`)).filter(
    ({ name }) => Number(name.split("/").at(-2)) < now - KEPT_MS,
  );
  if (old.length === 0) return;
  await store.call(["update-ref", "--stdin"], { input: old.map(({ name }) => `delete ${name}\n`).join("") });
  await store.collection.released(now);
}

async function references(store: ProjectStore, prefix: string): Promise<{ name: string; tree: string }[]> {
  const answer = await store.call(["for-each-ref", "--format=%(refname) %(objectname)", prefix]);
  return answer.stdout
    .toString("utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [name = "", tree = ""] = line.split(" ");
      return { name, tree };
    });
}
