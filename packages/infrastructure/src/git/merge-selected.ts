import type { ComparedTrees, SelectedChange, SelectRequest } from "@cleveragents/application";
import { DigestMismatchError } from "@cleveragents/domain";
import { editedTree, editsOf } from "./merge-entries.ts";
import { selectChanges } from "./merge-selection.ts";
import { mergeWithProject } from "./merge-with-project.ts";
import type { ProjectStore } from "./project-store.ts";
import { compareTrees } from "./tree-comparison.ts";

/** See `Workspace.select`. `whole` is what the sandbox holds now. */
export async function selectChange(
  store: ProjectStore,
  root: string,
  nested: readonly string[],
  whole: ComparedTrees,
  request: SelectRequest,
): Promise<SelectedChange> {
  const { planId, digest, only = [], exclude = [], rebase = false } = request;
  if (whole.digest !== digest) throw new DigestMismatchError(planId, digest, whole.digest);
  const all = (await compareTrees(store, whole.from, whole.to, nested)).entries;
  const isWhole = only.length === 0 && exclude.length === 0;
  const chosen = isWhole ? all : await selectChanges(store, { planId, ...whole, only, exclude }, all);
  const compared = async (from: string, to: string): Promise<ComparedTrees> => {
    for (const tree of [from, to]) await store.keep(planId, `selected/${tree}`, tree);
    const { changeset, digest, patch } = await compareTrees(store, from, to, nested);
    return { from, to, changeset, digest, patch };
  };
  const taken = new Set(chosen);
  const rest = all.filter((change) => !taken.has(change));
  const leftOut =
    rest.length === 0
      ? {}
      : { leftOut: await compared(whole.from, await editedTree(store, whole.from, editsOf(rest))) };
  if (!rebase) {
    const to = isWhole ? whole.to : await editedTree(store, whole.from, editsOf(chosen));
    return { ...(await compared(whole.from, to)), ...leftOut, merged: [] };
  }
  const { from, to, merged } = await mergeWithProject(store, { planId, root, base: whole.from }, chosen);
  return { ...(await compared(from, to)), ...leftOut, merged };
}
