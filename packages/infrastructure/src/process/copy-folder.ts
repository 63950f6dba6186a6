import { constants, type Stats } from "node:fs";
import { copyFile, lstat, mkdir, readdir, readlink, symlink, utimes } from "node:fs/promises";
import path from "node:path";
import { mapLimit } from "../git/map-limit.ts";
import { isInside } from "../git/project-paths.ts";

/** What a folder holds, in the order in which it can be made. */
export interface FolderContent {
  readonly folders: readonly Entry[];
  readonly files: readonly Entry[];
  readonly links: readonly string[];
  readonly bytes: number;
}

interface Entry {
  /** Relative to the folder. */
  readonly at: string;
  readonly stats: Stats;
}

const AT_A_TIME = 16;

/** Lists what is below a folder, not following links; stops, and answers nothing, as soon as that is more than `atMost` bytes. */
export async function listFolder(
  folder: string,
  atMost: number,
  signal: AbortSignal,
): Promise<FolderContent | undefined> {
  const folders: Entry[] = [{ at: "", stats: await lstat(folder) }];
  const files: Entry[] = [];
  const links: string[] = [];
  let bytes = 0;
  for (let next = 0; next < folders.length; next += 1) {
    signal.throwIfAborted();
    const { at } = folders[next] as Entry; // next < length
    const names = await readdir(path.join(folder, at));
    await mapLimit(names, AT_A_TIME, async (name) => {
      const entry = path.join(at, name);
      const stats = await lstat(path.join(folder, entry));
      if (stats.isDirectory()) folders.push({ at: entry, stats });
      else if (stats.isSymbolicLink()) links.push(entry);
      else if (stats.isFile()) {
        files.push({ at: entry, stats });
        bytes += stats.size;
      }
    });
    if (bytes > atMost) return undefined;
  }
  return { folders, files, links, bytes };
}

/**
 * Copies a folder: each file is one of its own, sharing its blocks with the original where the file system can do that
 * until one of them is written to. Times are kept, since tools that build compare them. Links into `moved.from` lead
 * into `moved.to`.
 */
export async function copyFolder(
  from: string,
  to: string,
  { folders, files, links }: FolderContent,
  options: {
    readonly moved?: { readonly from: string; readonly to: string } | undefined;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  for (const { at, stats } of folders)
    await mkdir(path.join(to, at), { recursive: at === "", mode: (stats.mode & 0o777) | 0o700 });
  await mapLimit(files, AT_A_TIME, async ({ at, stats }) => {
    options.signal.throwIfAborted();
    await copyFile(path.join(from, at), path.join(to, at), constants.COPYFILE_FICLONE);
    await utimes(path.join(to, at), stats.atime, stats.mtime).catch(() => undefined); // one that can only be read
  });
  await mapLimit(links, AT_A_TIME, async (at) => {
    const target = await readlink(path.join(from, at));
    const { moved } = options;
    const inner = moved !== undefined && path.isAbsolute(target) && isInside(moved.from, target);
    await symlink(inner ? moved.to + target.slice(moved.from.length) : target, path.join(to, at));
  });
  for (const { at, stats } of [...folders].reverse())
    await utimes(path.join(to, at), stats.atime, stats.mtime);
}

/** Whether files that are copied from one folder to the other share their blocks. Leaves nothing behind at `to`. */
export async function sharesBlocks(
  file: string,
  to: string,
  remove: (file: string) => Promise<void>,
): Promise<boolean> {
  try {
    await copyFile(file, to, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  } finally {
    await remove(to);
  }
}
