import path from "node:path";

/** Characters that HFS+ ignores in names, so that `.g\u200cit` would be `.git` there. */
const IGNORED = /[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g;

/**
 * Whether a path goes through something that git would take for a repository's own folder, on any file system:
 * whoever can write there decides what the host's git executes.
 */
export function isProtected(relative: string): boolean {
  return relative.split(path.sep).some((part) => {
    const name = part
      .replace(IGNORED, "")
      .replace(/[. ]+$/, "")
      .toLowerCase();
    return name === ".git" || name === "git~1";
  });
}
