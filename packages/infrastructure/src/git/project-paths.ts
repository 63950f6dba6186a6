import { sep } from "node:path";
import { WorkspaceError } from "@cleveragents/application";

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

/** Paths of a `-z` listing. Names are kept exactly; one that is not UTF-8 cannot be named on the wire: refused. */
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

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function decodePath(name: Buffer): string {
  try {
    return utf8.decode(name);
  } catch (error) {
    throw new WorkspaceError(
      "GIT_FAILED",
      `the file name ${JSON.stringify(name.toString("latin1"))} is not UTF-8`,
      "rename the file, or tell the repository to ignore it",
      { cause: error },
    );
  }
}

export function joinNul(paths: Iterable<string>): string {
  let text = "";
  for (const path of paths) text += `${path}\0`;
  return text;
}

export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
