import type { Dirent } from "node:fs";
import { chmod, lstat, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { mapLimit } from "./map-limit.ts";
import { isGitName, parentsOf } from "./project-paths.ts";
import { isAbsence } from "./workspace-failure.ts";

interface Walked {
  /** Regular files and links, relative to the root that was walked, `/` as separator. */
  readonly files: string[];
  /** `.git` entries that were passed over. */
  readonly gitEntries: string[];
}

/** Lists files and links without following links; `.git` of any spelling is passed over at every depth. */
export async function walkFiles(
  root: string,
  skip: (name: string, path: string, isDirectory: boolean) => boolean,
): Promise<Walked> {
  const files: string[] = [];
  const gitEntries: string[] = [];
  const visit = async (directory: string): Promise<void> => {
    const below: string[] = [];
    for (const entry of await entriesOf(join(root, directory))) {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      if (isGitName(entry.name)) gitEntries.push(path);
      else if (skip(entry.name, path, entry.isDirectory())) continue;
      else if (entry.isDirectory()) below.push(path);
      else if (entry.isFile() || entry.isSymbolicLink()) files.push(path);
    }
    for (const path of below) await visit(path);
  };
  await visit("");
  return { files, gitEntries };
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

/** The names in a directory; none if it is not there. */
export async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

interface Classified {
  /** Regular files and links whose parents are all real directories. */
  readonly present: string[];
  /** Nothing is there, or something that cannot be recorded, or it is reached through a link. */
  readonly absent: string[];
}

export async function classifyPaths(root: string, paths: readonly string[]): Promise<Classified> {
  const real = new Map<string, Promise<boolean>>();
  const isRealDirectory = (path: string) => {
    let answer = real.get(path);
    if (answer === undefined) {
      answer = lstatOrNull(join(root, path)).then((found) => found?.isDirectory() ?? false);
      real.set(path, answer);
    }
    return answer;
  };
  const isPresent = async (path: string) => {
    for (const parent of parentsOf(path)) if (!(await isRealDirectory(parent))) return false;
    const found = await lstatOrNull(join(root, path));
    return found !== null && (found.isFile() || found.isSymbolicLink());
  };
  const answers = await mapLimit(paths, 32, isPresent);
  return { present: paths.filter((_, at) => answers[at]), absent: paths.filter((_, at) => !answers[at]) };
}

export async function lstatOrNull(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

/**
 * Leaves exactly the `wanted` files (and the directories that lead to them) and gives every directory back its owner's
 * permissions, which a sandboxed process may have taken away. Links are removed, never followed.
 */
export async function removeOthers(root: string, wanted: ReadonlySet<string>): Promise<void> {
  const directories = new Set<string>();
  for (const path of wanted) for (const parent of parentsOf(path)) directories.add(parent);
  const visit = async (directory: string): Promise<void> => {
    await makeEnterable(join(root, directory));
    for (const entry of await entriesOf(join(root, directory))) {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      if (entry.isDirectory() && directories.has(path)) await visit(path);
      else if (entry.isDirectory() || !wanted.has(path)) await removeTree(join(root, path));
    }
  };
  await visit("");
}

/** Gives every directory below (and the files in them) back to its owner, so that it can be read. */
export async function makeReadable(root: string): Promise<void> {
  await makeEnterable(root);
  for (const entry of await entriesOf(root)) {
    const path = join(root, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else if (entry.isFile()) {
      const { mode } = await lstat(path);
      if ((mode & 0o400) === 0) await chmod(path, (mode & 0o777) | 0o400);
    }
  }
}

async function makeEnterable(directory: string): Promise<void> {
  const { mode } = await lstat(directory);
  if ((mode & 0o700) !== 0o700) await chmod(directory, (mode & 0o777) | 0o700);
}

/** Removes whatever is there, also what a sandboxed process made unreadable. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await makeReadable(path);
    await rm(path, { recursive: true, force: true });
  }
}

/** Removes a directory if nothing but empty directories is in it; says whether it is gone. */
export async function removeIfEmpty(directory: string): Promise<boolean> {
  let empty = true;
  for (const entry of await entriesOf(directory)) {
    const removed = entry.isDirectory() && (await removeIfEmpty(join(directory, entry.name)));
    empty &&= removed;
  }
  if (empty) await rmdir(directory);
  return empty;
}
