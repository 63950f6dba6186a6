import { SelectionError } from "@cleveragents/domain";
import type { EntryChange } from "./merge-entries.ts";
import { parentsOf, splitPaths } from "./project-paths.ts";
import type { ProjectStore } from "./project-store.ts";

interface Question {
  readonly planId: string;
  readonly from: string;
  readonly to: string;
  readonly only: readonly string[];
  readonly exclude: readonly string[];
}

/**
 * The changes that path globs choose. What only makes sense together is taken or left together: both ends of a rename,
 * and a file with the folder whose place it takes, or the other way round. Throws {@link SelectionError} for a glob
 * that matches nothing, and if nothing is chosen.
 */
export async function selectChanges(
  store: ProjectStore,
  question: Question,
  changes: readonly EntryChange[],
): Promise<EntryChange[]> {
  const { planId, only, exclude } = question;
  const wanted = await matching(store, question, only);
  const unwanted = await matching(store, question, exclude);
  const chosen = groupsOf(changes).filter((group) => {
    const paths = group.flatMap(pathsOf);
    const isWanted = only.length === 0 || paths.some((path) => wanted.has(path));
    return isWanted && !paths.some((path) => unwanted.has(path));
  });
  if (chosen.length === 0) throw new SelectionError(planId, "no change of the plan is left to apply");
  const taken = new Set(chosen.flat());
  return changes.filter((change) => taken.has(change));
}

/** Changed paths that git's glob pathspecs match: `*` stays within a folder, `**` does not, a folder means all in it. */
async function matching(
  store: ProjectStore,
  { planId, from, to }: Question,
  globs: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const glob of globs) {
    const pathspec = `:(top,glob)${glob.replace(/^\.\//, "").replace(/\/+$/, "")}`;
    const args = ["diff-tree", "-r", "-z", "--no-renames", "--name-only", from, to, "--", pathspec];
    // git refuses a pathspec that leads outside, and one that is malformed.
    const answer = await store.call(args, { accept: [0, 128] });
    const paths = answer.code === 0 ? splitPaths(answer.stdout) : [];
    if (paths.length === 0) throw new SelectionError(planId, `"${glob}" matches no change of the plan`, glob);
    for (const path of paths) found.add(path);
  }
  return found;
}

function pathsOf({ path, previousPath }: EntryChange): string[] {
  return previousPath === undefined ? [path] : [previousPath, path];
}

/** Changes that cannot be had one without the other. */
function groupsOf(changes: readonly EntryChange[]): EntryChange[][] {
  const group = new Map<EntryChange, EntryChange[]>(changes.map((change) => [change, [change]]));
  const join = (a: EntryChange, b: EntryChange) => {
    const [into, from] = [group.get(a) ?? [], group.get(b) ?? []];
    if (into === from) return;
    into.push(...from);
    for (const change of from) group.set(change, into);
  };
  const leaves = new Map<string, EntryChange>();
  const arrives = new Map<string, EntryChange>();
  for (const change of changes) {
    if (change.previousPath !== undefined) leaves.set(change.previousPath, change);
    else if (change.after === null) leaves.set(change.path, change);
    if (change.previousPath !== undefined || change.before === null) arrives.set(change.path, change);
  }
  for (const [path, change] of arrives)
    for (const parent of [path, ...parentsOf(path)]) {
      const leaving = leaves.get(parent);
      if (leaving !== undefined) join(change, leaving);
    }
  for (const [path, change] of leaves)
    for (const parent of parentsOf(path)) {
      const arriving = arrives.get(parent);
      if (arriving !== undefined) join(change, arriving);
    }
  return [...new Set(group.values())];
}
