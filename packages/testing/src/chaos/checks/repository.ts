import type { Repository } from "../../world/repository.ts";

/** The user's working tree, and what git of theirs says. */
export interface Picture {
  readonly tree: Readonly<Record<string, string>>;
  readonly state: Readonly<Record<string, string>>;
}

export async function pictureOf(repository: Repository): Promise<Picture> {
  return { tree: await repository.tree(), state: await repository.state() };
}

/** Nothing of the user's has changed: not a file, not the index, HEAD, stash, references or configuration. */
export function checkUntouched(before: Picture, after: Picture): readonly string[] {
  return [...differences("file", before.tree, after.tree), ...differences("git", before.state, after.state)];
}

/** The tree is the old one or the new one as a whole; of git's own, only the status may tell. */
export function checkOldOrNew(
  before: Picture,
  newTree: Picture["tree"],
  after: Picture,
): { readonly which: "old" | "new" | "neither"; readonly problems: readonly string[] } {
  const fromNew = differences("file", newTree, after.tree);
  const git = differences("git", before.state, after.state).filter((line) => !line.startsWith("git status"));
  if (fromNew.length === 0) return { which: "new", problems: git };
  const fromOld = differences("file", before.tree, after.tree);
  if (fromOld.length === 0) return { which: "old", problems: checkUntouched(before, after) };
  const mixed = ["the tree is neither old nor new", ...fromOld.map((line) => `against the old one: ${line}`)];
  return { which: "neither", problems: [...mixed, ...fromNew.map((line) => `against the new one: ${line}`)] };
}

function differences(
  what: string,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .flatMap((key) =>
      before[key] === after[key]
        ? []
        : [`${what} ${key}: ${before[key] ?? "none"} became ${after[key] ?? "none"}`],
    );
}
