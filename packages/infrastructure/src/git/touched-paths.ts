import { join } from "node:path";
import type { Changeset, DriftedFile, FileSide } from "@cleveragents/domain";
import { type FileState, isAt, stateOf } from "./file-state.ts";
import { mapLimit } from "./map-limit.ts";
import { shownPath, unquotePath } from "./native-paths.ts";
import { byCodeUnit, parentsOf } from "./project-paths.ts";
import { lstatOrNull, walkFiles } from "./tree-walk.ts";

/** One path of a changeset: a rename is two of them. */
export interface TouchedPath {
  readonly path: string;
  readonly before: FileSide | null;
  readonly after: FileSide | null;
}

export function touchedPaths(changeset: Changeset): TouchedPath[] {
  return changeset.files
    .flatMap(({ path, previousPath, quoted, before, after }): TouchedPath[] => {
      const real = (told: string) => (quoted === true ? unquotePath(told) : told);
      return previousPath === undefined
        ? [{ path: real(path), before, after }]
        : [
            { path: real(previousPath), before, after: null },
            { path: real(path), before: null, after },
          ];
    })
    .sort((a, b) => byCodeUnit(a.path, b.path));
}

export interface Surveyed extends TouchedPath {
  readonly state: FileState;
}

export async function survey(root: string, touched: readonly TouchedPath[]): Promise<Surveyed[]> {
  const states = await mapLimit(touched, 8, (item) => stateOf(root, item.path));
  return touched.map((item, at) => ({ ...item, state: states[at] ?? { kind: "absent" } }));
}

/** Whether a path is as `side` says. A directory where nothing should be counts as nothing if it will be empty. */
export async function standsAt(
  root: string,
  item: Surveyed,
  side: FileSide | null,
  leaving: ReadonlySet<string>,
): Promise<boolean> {
  if (isAt(item.state, side)) return true;
  if (side !== null || item.state.kind !== "directory") return false;
  const { files, gitEntries } = await walkFiles(join(root, item.path), () => false);
  return gitEntries.length === 0 && files.every((file) => leaving.has(`${item.path}/${file}`));
}

/** Whether nothing is left to do at a path. Where a file is to go, a directory may have taken its place. */
export function isDone(item: Surveyed): boolean {
  return isAt(item.state, item.after) || (item.after === null && item.state.kind === "directory");
}

/** Paths that a changeset removes. */
export function leavingOf(touched: readonly TouchedPath[]): ReadonlySet<string> {
  return new Set(touched.filter((item) => item.after === null).map((item) => item.path));
}

export async function driftOf(root: string, surveyed: readonly Surveyed[]): Promise<DriftedFile[]> {
  const leaving = leavingOf(surveyed);
  const drifted = new Map<string, DriftedFile>();
  const add = (path: string, expected: FileSide | null, state: FileState) => {
    const found = state.kind === "content" ? state.side.sha256 : null;
    drifted.set(path, { path: shownPath(path), expected: expected?.sha256 ?? null, found });
  };
  for (const item of surveyed) {
    const obstacle = await fileOnTheWay(root, item, leaving);
    if (obstacle !== null) add(obstacle, null, await stateOf(root, obstacle));
    else if (!(await standsAt(root, item, item.before, leaving))) add(item.path, item.before, item.state);
  }
  return [...drifted.values()];
}

/** What stands, and is to stay, where a new file needs a directory. Links are refused for a reason of their own. */
async function fileOnTheWay(
  root: string,
  item: Surveyed,
  leaving: ReadonlySet<string>,
): Promise<string | null> {
  if (item.after === null || item.state.kind !== "absent") return null;
  for (const parent of parentsOf(item.path)) {
    const found = await lstatOrNull(join(root, parent));
    if (found?.isDirectory()) continue;
    return found === null || found.isSymbolicLink() || leaving.has(parent) ? null : parent;
  }
  return null;
}
