import { realpath } from "node:fs/promises";
import path from "node:path";
import { type Sandbox, ToolError } from "@cleveragents/application";
import { onFile, refuse } from "./file-failure.ts";
import { isProtected } from "./protected-path.ts";
import { LinkLoopError, resolveLinks } from "./resolve-links.ts";
import { within } from "./within.ts";

/**
 * What a path is wanted for: `read` and `write` follow links as long as they stay inside, `write` refuses links to
 * nothing; `entry` means the entry of the directory itself, so that a link at the end stays a link.
 */
export type PathPurpose = "read" | "write" | "entry";

export interface ConfinedPath {
  /** As the plan knows it, relative to the sandbox; "." for the sandbox itself. */
  readonly relative: string;
  /** Real path of the sandbox. */
  readonly root: string;
  /** Real path of the directory that holds it; it need not exist yet. */
  readonly parent: string;
  /** Its name in there; empty for the sandbox itself. */
  readonly name: string;
  readonly absolute: string;
}

/**
 * Where a path of a plan leads inside of the sandbox. Relative paths begin at its root; absolute ones below the
 * project are mapped into it. Throws {@link ToolError} PATH_ESCAPE for everything that leads out, by `..` or by a
 * link, and PATH_PROTECTED for a `.git`. The judgement is of this moment: open what it returns with `openConfined` or
 * `inDirectory`, which check again what they have got hold of. Hard links cannot be judged.
 */
export async function confine(
  sandbox: Pick<Sandbox, "root" | "projectRoot">,
  given: string,
  purpose: PathPurpose,
): Promise<ConfinedPath> {
  if (given.includes("\0")) throw new ToolError("PATH_ESCAPE", "a path cannot hold a NUL character");
  const root = await realpath(sandbox.root).catch((cause: unknown) => {
    throw new ToolError("SANDBOX_GONE", "the sandbox of this plan is not there any more", {}, { cause });
  });
  const relative = path.isAbsolute(given)
    ? await mapped([root, sandbox.root, sandbox.projectRoot], path.resolve(given))
    : within(root, path.resolve(root, given));
  if (relative === undefined) {
    throw new ToolError(
      "PATH_ESCAPE",
      path.isAbsolute(given)
        ? "an absolute path outside of the project"
        : "the path leads out of the sandbox",
    );
  }
  const shown = relative === "" ? "." : relative;
  if (isProtected(relative)) throw refuse("PATH_PROTECTED", shown, "is part of a repository's own folder");
  const { real, dangling } = await onFile(shown, () => resolved(root, relative, purpose === "entry", shown));
  const reached = within(root, real);
  if (reached === undefined) throw refuse("PATH_ESCAPE", shown, "leads out of the sandbox through a link");
  if (isProtected(reached)) throw refuse("PATH_PROTECTED", shown, "leads into a repository's own folder");
  if (dangling && purpose !== "read")
    throw refuse("PATH_ESCAPE", shown, "goes through a link to something that does not exist");
  return {
    relative: shown,
    root,
    absolute: real,
    parent: reached === "" ? root : path.dirname(real),
    name: reached === "" ? "" : path.basename(real),
  };
}

async function resolved(root: string, relative: string, keepLast: boolean, shown: string) {
  try {
    return await resolveLinks(root, relative, keepLast);
  } catch (error) {
    if (error instanceof LinkLoopError)
      throw refuse("PATH_ESCAPE", shown, "goes through links that lead in a circle");
    throw error;
  }
}

/** An absolute path relative to one of the bases, in any spelling of them that the host's links allow. */
async function mapped(bases: readonly string[], absolute: string): Promise<string | undefined> {
  for (const base of bases) {
    const relative = within(base, absolute);
    if (relative !== undefined) return relative;
  }
  const real = new Set(await Promise.all(bases.map(realpathIfThere)));
  for (let above = absolute; path.dirname(above) !== above; above = path.dirname(above)) {
    const reached = await realpathIfThere(above);
    if (reached !== undefined && real.has(reached)) return path.relative(above, absolute);
  }
  return undefined;
}

async function realpathIfThere(file: string): Promise<string | undefined> {
  return await realpath(file).catch(() => undefined);
}
