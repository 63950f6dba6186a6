import type { Stats } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import path from "node:path";

/** As many as Linux follows. */
const MAX_LINKS = 40;

export interface ResolvedPath {
  readonly real: string;
  /** A link on the way points to something that does not exist: writing here would create it. */
  readonly dangling: boolean;
}

/** More links than any system follows. */
export class LinkLoopError extends Error {
  override readonly name = "LinkLoopError";
}

interface Step {
  readonly name: string;
  readonly fromLink: boolean;
}

/**
 * Where a path below a real directory really leads, whether or not it exists. Unlike `realpath` it goes on where
 * something is missing, so that a new file is judged by what it would be; with `keepLast` a link at the end stays
 * a link.
 */
export async function resolveLinks(
  directory: string,
  relative: string,
  keepLast: boolean,
): Promise<ResolvedPath> {
  const steps: Step[] = stepsOf(relative, false);
  let real = directory;
  let links = 0;
  let missing = false;
  let dangling = false;
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    if (step.name === "..") {
      real = path.dirname(real);
      continue;
    }
    const next = path.join(real, step.name);
    const stats = missing ? undefined : await lstatIfThere(next);
    if (stats === undefined) {
      missing = true;
      dangling ||= step.fromLink;
    } else if (stats.isSymbolicLink() && !(keepLast && steps.length === 0)) {
      links += 1;
      if (links > MAX_LINKS) throw new LinkLoopError(`more than ${MAX_LINKS} links`);
      const target = await readlink(next);
      steps.unshift(...stepsOf(target, true));
      if (path.isAbsolute(target)) real = path.parse(target).root;
      continue;
    }
    real = next;
  }
  return { real, dangling };
}

function stepsOf(relative: string, fromLink: boolean): Step[] {
  return relative
    .split(path.sep)
    .filter((name) => name !== "" && name !== ".")
    .map((name) => ({ name, fromLink }));
}

async function lstatIfThere(file: string): Promise<Stats | undefined> {
  try {
    return await lstat(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
