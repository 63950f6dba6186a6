import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import type { ConfinedPath } from "./confine.ts";
import { onFile, refuse } from "./file-failure.ts";
import { inDirectory, type OpenDirectory } from "./open-confined.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
const NEW_FILE_MODE = 0o644;

/** Makes the directories above a place. */
export async function makeParents(place: ConfinedPath): Promise<void> {
  await onFile(place.relative, () => mkdir(place.parent, { recursive: true }));
}

/**
 * Writes a file as a whole: a reader finds the old content or the new, and a hard link to the old content keeps it.
 * An existing file keeps its mode unless one is given. Makes the directories above it.
 */
export async function writeAtomically(
  place: ConfinedPath,
  bytes: Uint8Array,
  mode?: number,
): Promise<{ readonly created: boolean }> {
  if (place.name === "") throw refuse("IS_DIRECTORY", place.relative, "is the sandbox itself");
  await makeParents(place);
  return await inDirectory(place, async (directory) => {
    const existing = await lstat(directory.target).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (existing?.isDirectory()) throw refuse("IS_DIRECTORY", place.relative, "is a directory");
    if (existing?.isSymbolicLink()) throw refuse("PATH_ESCAPE", place.relative, "was replaced by a link");
    if (existing !== undefined && !existing.isFile())
      throw refuse("NOT_A_FILE", place.relative, "is neither a file nor a directory");
    await replace(directory, bytes, mode ?? (existing === undefined ? NEW_FILE_MODE : existing.mode & 0o777));
    return { created: existing === undefined };
  });
}

async function replace(directory: OpenDirectory, bytes: Uint8Array, mode: number): Promise<void> {
  const temporary = directory.entry(`.cleveragents-${randomBytes(8).toString("hex")}.tmp`);
  const handle = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    try {
      await handle.writeFile(bytes);
      await handle.chmod(mode); // on the open file, so that no umask takes part
    } finally {
      await handle.close();
    }
    await rename(temporary, directory.target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
