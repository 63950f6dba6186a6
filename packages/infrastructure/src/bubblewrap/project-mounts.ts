import { lstat, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { isInside } from "../git/project-paths.ts";
import type { Mount } from "./mounts.ts";

/** Dependencies of a package, which are the copy's own to have. */
const DEPENDENCIES = new Set(["node_modules", ".venv", "venv"]);

/**
 * The copy at the project's place, and of the toolchains those that may be shown: one that lies in the project is shown
 * at its place too, unless the copy has something there.
 */
export async function projectMounts(
  root: string,
  projectRoot: string,
  toolchains: readonly Mount[],
  readOnly = false,
): Promise<Mount[]> {
  const shown: Mount[] = [{ kind: readOnly ? "read-only" : "writable", at: projectRoot, from: root }];
  for (const mount of toolchains) {
    if (!isInside(projectRoot, mount.at)) shown.push(mount);
    else if (!readOnly && mount.kind === "read-only" && (await isDirectory(mount.from))) {
      if (await isFree(root, path.relative(projectRoot, mount.at))) shown.push(mount);
    }
  }
  return shown;
}

/** For a file an empty one would be made in the copy, and be a change of the plan's. */
async function isDirectory(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isDirectory() === true;
}

/**
 * A place for a mount is made in the copy, from outside of the isolation: no link in the copy may lead it elsewhere, so
 * whatever is on the way must be a directory.
 */
async function isFree(root: string, relative: string): Promise<boolean> {
  if (relative === "") return false;
  const parts = relative.split(path.sep);
  let at = root;
  for (const [index, part] of parts.entries()) {
    at = path.join(at, part);
    const found = await lstat(at).catch(() => undefined);
    if (found === undefined) return !(DEPENDENCIES.has(part) && index === parts.length - 1);
    if (!found.isDirectory()) return false;
  }
  return (await readdir(at)).length === 0;
}
