import { sep } from "node:path";
import { decodePath, hasOddBytes, nativePath } from "./native-paths.ts";

/** Code points that HFS+ leaves out when it compares names: `.g<U+200C>it` opens `.git` there. */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether some file system opens `.git` under this name. */
export function isGitName(name: string): boolean {
  return name.replace(IGNORED_BY_HFS, "").toLowerCase() === ".git";
}

export function hasGitName(path: string): boolean {
  // Most paths hold none: look for the letters before splitting.
  return /\.[^/]*g[^/]*i[^/]*t/i.test(path) && path.split("/").some(isGitName);
}

/** Both absolute and real. A directory is inside itself; `/repo-old` is not inside `/repo`. */
export function isInside(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** `a/b/c` → `a`, `a/b`. */
export function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) parents.push(path.slice(0, at));
  return parents;
}

/** Paths of a `-z` listing; names are kept exactly. */
export function splitPaths(listing: Buffer): string[] {
  return splitNul(listing).map(decodePath);
}

export function splitNul(listing: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let start = 0;
  for (let end = listing.indexOf(0, start); end !== -1; end = listing.indexOf(0, start)) {
    parts.push(listing.subarray(start, end));
    start = end + 1;
  }
  return parts;
}

export function joinNul(paths: Iterable<string>): string | Buffer {
  let text = "";
  for (const path of paths) text += `${path}\0`;
  return hasOddBytes(text) ? nativePath(text) : text;
}

export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
