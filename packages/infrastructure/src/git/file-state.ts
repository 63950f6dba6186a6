import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { join } from "node:path";
import type { FileMode, FileSide } from "@cleveragents/domain";
import { open, readlink } from "./native-fs.ts";
import { parentsOf } from "./project-paths.ts";
import { lstatOrNull } from "./tree-walk.ts";
import { errorCode, isAbsence } from "./workspace-failure.ts";

/** What stands at a path of the project. `other`: a directory, a device, or something that cannot be read. */
export type FileState =
  | { readonly kind: "absent" }
  | { readonly kind: "content"; readonly side: FileSide; readonly stats: Stats }
  | { readonly kind: "directory" }
  | { readonly kind: "other" };

/** Never follows a link, neither at the end of the path nor on the way. */
export async function stateOf(root: string, path: string): Promise<FileState> {
  if ((await linkOnTheWay(root, path)) !== null) return { kind: "absent" };
  const full = join(root, path);
  const stats = await lstatOrNull(full);
  if (stats === null) return { kind: "absent" };
  if (stats.isDirectory()) return { kind: "directory" };
  if (stats.isSymbolicLink()) {
    const target = await readlink(full, { encoding: "buffer" });
    const sha256 = createHash("sha256").update(target).digest("hex");
    return { kind: "content", stats, side: { mode: "120000", sha256, size: target.length } };
  }
  if (!stats.isFile()) return { kind: "other" };
  return await contentOf(full);
}

const LONGEST_READ = 1024 * 1024;

async function contentOf(full: string): Promise<FileState> {
  try {
    await using file = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile()) return { kind: "other" };
    const hash = createHash("sha256");
    // Most files are small: a stream for each would take longer than the reading.
    const buffer = Buffer.allocUnsafe(Math.min(stats.size + 1, LONGEST_READ));
    let size = 0;
    for (let read = -1; read !== 0; size += read) {
      read = (await file.read(buffer, 0, buffer.length, null)).bytesRead;
      hash.update(buffer.subarray(0, read));
    }
    return { kind: "content", stats, side: { mode: modeOf(stats), sha256: hash.digest("hex"), size } };
  } catch (error) {
    if (isAbsence(error)) return { kind: "absent" };
    if (errorCode(error) === "ELOOP" || errorCode(error) === "EACCES") return { kind: "other" };
    throw error;
  }
}

function modeOf(stats: Stats): FileMode {
  return (stats.mode & 0o100) === 0 ? "100644" : "100755";
}

function sameSide(a: FileSide | null, b: FileSide | null): boolean {
  if (a === null || b === null) return a === b;
  return a.mode === b.mode && a.sha256 === b.sha256 && a.size === b.size;
}

export function isAt(state: FileState, side: FileSide | null): boolean {
  return state.kind === "content" ? sameSide(state.side, side) : state.kind === "absent" && side === null;
}

/** The first parent that is a link. */
async function linkOnTheWay(root: string, path: string): Promise<string | null> {
  for (const parent of parentsOf(path)) {
    const found = await lstatOrNull(join(root, parent));
    if (found === null) return null;
    if (found.isSymbolicLink()) return parent;
  }
  return null;
}
