import { readFile, writeFile } from "node:fs/promises";
import type { FileView } from "@cleveragents/domain";
import { decodePath } from "./native-paths.ts";
import { joinNul, splitNul, splitPaths } from "./project-paths.ts";
import type { ProjectStore } from "./project-store.ts";
import { isAbsence } from "./workspace-failure.ts";

interface Tree {
  readonly tree: string;
  /** Of that tree. */
  readonly index: string;
  readonly workTree: string;
}

/** Files of a tree that a view does not show, or that were hidden `before`, and how many there are altogether. */
export async function hiddenBy(
  store: ProjectStore,
  { tree, index, workTree }: Tree,
  { include, exclude, max_file_size: largest = Number.POSITIVE_INFINITY }: FileView,
  before: ReadonlySet<string>,
): Promise<{ readonly hidden: readonly string[]; readonly files: number }> {
  const matching = async (globs: readonly string[] | undefined) =>
    globs === undefined ? undefined : new Set(await matched(store, { index, workTree }, globs));
  const [included, excluded] = [await matching(include), await matching(exclude)];
  const hidden: string[] = [];
  const listed = splitNul((await store.call(["ls-tree", "-r", "-z", "-l", "--full-tree", tree])).stdout);
  for (const record of listed) {
    // `<mode> blob <object> <size>\t<path>`
    const tab = record.indexOf(9);
    const path = decodePath(record.subarray(tab + 1));
    const size = Number(/ +(\d+)$/.exec(record.toString("latin1", 0, tab))?.[1] ?? 0);
    const shown = included?.has(path) !== false && excluded?.has(path) !== true && size <= largest;
    if (!shown || before.has(path)) hidden.push(path);
  }
  return { hidden, files: listed.length };
}

async function matched(
  store: ProjectStore,
  place: Omit<Tree, "tree">,
  globs: readonly string[],
): Promise<string[]> {
  const pathspecs = globs.map((glob) => `:(top,glob)${glob.replace(/^\.\//, "").replace(/\/+$/, "")}`);
  return splitPaths((await store.call(["ls-files", "-z", "--", ...pathspecs], place)).stdout);
}

/** The list of a sandbox, which is made with it and never changes; none where it shows everything. */
export async function readHidden(file: string): Promise<readonly string[]> {
  try {
    return splitPaths(await readFile(file));
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

export async function writeHidden(file: string, paths: readonly string[]): Promise<void> {
  await writeFile(file, joinNul(paths));
}

/** Has git take files of an index for being as they are although they are not there, or look at them again. */
export async function markHidden(
  store: ProjectStore,
  place: Omit<Tree, "tree">,
  paths: readonly string[],
  hidden: boolean,
): Promise<void> {
  if (paths.length === 0) return;
  const option = hidden ? "--skip-worktree" : "--no-skip-worktree";
  await store.call(["update-index", "-z", option, "--stdin"], { ...place, input: joinNul(paths) });
}
