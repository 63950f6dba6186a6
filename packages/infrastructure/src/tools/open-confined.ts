import { constants } from "node:fs";
import { type FileHandle, open, readlink } from "node:fs/promises";
import type { ConfinedPath } from "./confine.ts";
import { onFile, refuse } from "./file-failure.ts";
import { isProtected } from "./protected-path.ts";
import { within } from "./within.ts";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Opens an existing regular file for reading; nothing that was put in its place since it was confined. */
export async function openConfined(place: ConfinedPath): Promise<FileHandle> {
  return await onFile(place.relative, async () => {
    // Without O_NONBLOCK, a named pipe would be waited for until somebody writes to it.
    const handle = await open(place.absolute, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      await checkOpened(handle, place);
      const stats = await handle.stat();
      if (stats.isDirectory()) throw refuse("IS_DIRECTORY", place.relative, "is a directory");
      if (!stats.isFile()) throw refuse("NOT_A_FILE", place.relative, "is neither a file nor a directory");
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  });
}

export interface OpenDirectory {
  /** The place itself. */
  readonly target: string;
  /** Path of another entry of the same directory. */
  entry(name: string): string;
}

/**
 * Runs operations on an entry of the directory that was confined. Where /proc is there, their paths go through the
 * open directory, so that they reach this very directory whatever its path has come to mean since.
 */
export async function inDirectory<T>(
  place: ConfinedPath,
  operation: (directory: OpenDirectory) => Promise<T>,
): Promise<T> {
  return await onFile(place.relative, async () => {
    const handle = await open(place.parent, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    try {
      const base = (await checkOpened(handle, place)) ? `/proc/self/fd/${handle.fd}` : place.parent;
      return await operation({ target: `${base}/${place.name}`, entry: (name) => `${base}/${name}` });
    } finally {
      await handle.close();
    }
  });
}

/** False where this host cannot tell what was opened. */
async function checkOpened(handle: FileHandle, place: ConfinedPath): Promise<boolean> {
  const opened = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (opened === undefined) return false;
  const reached = within(place.root, opened);
  if (reached === undefined)
    throw refuse("PATH_ESCAPE", place.relative, "was replaced by a link that leads out of the sandbox");
  if (isProtected(reached))
    throw refuse("PATH_PROTECTED", place.relative, "was replaced by a link into a repository's own folder");
  return true;
}
