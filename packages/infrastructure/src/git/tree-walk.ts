import { join } from "node:path";
import { mapLimit } from "./map-limit.ts";
import { chmod, type Entry, lstat, readdir, rm, rmdir } from "./native-fs.ts";
import { isGitName, parentsOf } from "./project-paths.ts";
import { isAbsence } from "./workspace-failure.ts";

interface Walked {
  /** Regular files and links, relative to the root that was walked, `/` as separator. */
  readonly files: string[];
  /** `.git` entries that were passed over. */
  readonly gitEntries: string[];
  /** Pipes, sockets and devices. */
  readonly special: string[];
}

/** Lists files and links without following links; `.git` of any spelling is passed over at every depth. */
export async function walkFiles(
  root: string,
  skip: (name: string, path: string, isDirectory: boolean) => boolean,
): Promise<Walked> {
  const files: string[] = [];
  const gitEntries: string[] = [];
  const special: string[] = [];
  const visit = async (directory: string): Promise<void> => {
    const below: string[] = [];
    for (const entry of await entriesOf(join(root, directory))) {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      if (isGitName(entry.name)) gitEntries.push(path);
      else if (skip(entry.name, path, entry.isDirectory())) continue;
      else if (entry.isDirectory()) below.push(path);
      else if (entry.isFile() || entry.isSymbolicLink()) files.push(path);
      else special.push(path);
    }
    for (const path of below) await visit(path);
  };
  await visit("");
  return { files, gitEntries, special };
}

async function entriesOf(directory: string): Promise<Entry[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

/** The names in a directory; none if it is not there. */
export async function namesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).map((entry) => entry.name);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

/** Room on disk of everything below, and how many files and links there are; what cannot be read counts as nothing. */
export async function diskUsage(
  directory: string,
): Promise<{ readonly bytes: number; readonly files: number }> {
  let bytes = 0;
  let files = 0;
  const visit = async (path: string): Promise<void> => {
    const found = await lstatOrNull(path);
    bytes += (found?.blocks ?? 0) * 512;
    if (found?.isDirectory() !== true) {
      files += found === null ? 0 : 1;
      return;
    }
    const names = await namesIn(path).catch(() => []);
    await mapLimit(names, 16, (name) => visit(join(path, name)));
  };
  await visit(directory);
  return { bytes, files };
}

export interface Classified {
  /** Regular files and links whose parents are all real directories. */
  readonly present: string[];
  /** Nothing is there, and no link is on the way. */
  readonly gone: string[];
  /** Something is there that cannot be recorded, or it is reached through a link. */
  readonly unfit: string[];
  /** Of the unfit: what is neither file, link nor directory. */
  readonly special: string[];
  /** Of all that is present. */
  readonly bytes: number;
}

export async function classifyPaths(root: string, paths: readonly string[]): Promise<Classified> {
  const parents = new Map<string, ReturnType<typeof lstatOrNull>>();
  const parentAt = (path: string) => {
    let answer = parents.get(path);
    if (answer === undefined) {
      answer = lstatOrNull(join(root, path));
      parents.set(path, answer);
    }
    return answer;
  };
  const special: string[] = [];
  let bytes = 0;
  const classOf = async (path: string) => {
    for (const above of parentsOf(path)) {
      const parent = await parentAt(above);
      if (parent?.isDirectory() !== true) return parent?.isSymbolicLink() ? "unfit" : "gone";
    }
    const found = await lstatOrNull(join(root, path));
    if (found === null) return "gone";
    if (found.isDirectory()) return "unfit";
    const recordable = found.isFile() || found.isSymbolicLink();
    if (recordable) bytes += found.size;
    else special.push(path);
    return recordable ? "present" : "unfit";
  };
  const classes = await mapLimit(paths, 32, classOf);
  const those = (wanted: string) => paths.filter((_, at) => classes[at] === wanted);
  return {
    present: those("present"),
    gone: those("gone"),
    unfit: those("unfit"),
    special: special.sort(),
    bytes,
  };
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
