import { type Dirent, createReadStream as readStream, type Stats } from "node:fs";
import * as fs from "node:fs/promises";
import { decodePath, nativePath } from "./native-paths.ts";

/** The functions of `node:fs` for paths below a project or a sandbox: see `native-paths.ts`. */

export type { FileHandle } from "node:fs/promises";

export async function lstat(path: string): Promise<Stats> {
  return await fs.lstat(nativePath(path));
}

export async function open(path: string, flags: string | number, mode?: number): Promise<fs.FileHandle> {
  return await fs.open(nativePath(path), flags, mode);
}

export function createReadStream(path: string) {
  return readStream(nativePath(path));
}

export async function readFile(path: string): Promise<Buffer> {
  return await fs.readFile(nativePath(path));
}

export async function writeFile(path: string, content: string | Buffer): Promise<void> {
  await fs.writeFile(nativePath(path), content);
}

/** The bytes of a link's target. */
export async function readlink(path: string, _options?: { readonly encoding: "buffer" }): Promise<Buffer> {
  return await fs.readlink(nativePath(path), { encoding: "buffer" });
}

export async function symlink(target: string | Buffer, path: string): Promise<void> {
  await fs.symlink(typeof target === "string" ? nativePath(target) : target, nativePath(path));
}

export async function link(existing: string, path: string): Promise<void> {
  await fs.link(nativePath(existing), nativePath(path));
}

export async function rename(from: string, to: string): Promise<void> {
  await fs.rename(nativePath(from), nativePath(to));
}

export async function unlink(path: string): Promise<void> {
  await fs.unlink(nativePath(path));
}

export async function rm(
  path: string,
  options: { readonly force?: boolean; readonly recursive?: boolean },
): Promise<void> {
  await fs.rm(nativePath(path), options);
}

export async function mkdir(
  path: string,
  options: { readonly recursive: true; readonly mode?: number },
): Promise<void> {
  await fs.mkdir(nativePath(path), options);
}

export async function rmdir(path: string): Promise<void> {
  await fs.rmdir(nativePath(path));
}

export async function chmod(path: string, mode: number): Promise<void> {
  await fs.chmod(nativePath(path), mode);
}

export type Entry = Pick<Dirent, "name" | "isDirectory" | "isFile" | "isSymbolicLink">;

/** The entries of a directory. Names are read as bytes only where one of them may need it. */
export async function readdir(directory: string): Promise<Entry[]> {
  const place = nativePath(directory);
  const entries = await fs.readdir(place, { withFileTypes: true });
  if (!entries.some((entry) => entry.name.includes("\ufffd"))) return entries;
  const raw = await fs.readdir(place, { withFileTypes: true, encoding: "buffer" });
  return raw.map((entry) => ({
    name: decodePath(entry.name),
    isDirectory: () => entry.isDirectory(),
    isFile: () => entry.isFile(),
    isSymbolicLink: () => entry.isSymbolicLink(),
  }));
}
