import type { Stats } from "node:fs";
import { lstat, rename } from "node:fs/promises";
import { STEP_SCHEMAS } from "@cleveragents/domain";
import { defineTool } from "./builtin-tool.ts";
import { type ConfinedPath, confine } from "./confine.ts";
import { refuse } from "./file-failure.ts";
import { inDirectory } from "./open-confined.ts";
import { within } from "./within.ts";
import { makeParents } from "./write-atomically.ts";

export const renameFileTool = defineTool({
  name: "builtin/rename_file",
  description:
    "Renames or moves a file, link or directory, making the directories above the new name. Nothing may be there yet.",
  input: STEP_SCHEMAS.rename,
  readOnly: false,
  idempotent: false,
  effect: "sandbox",
  async run({ from, to }, { sandbox }) {
    const source = await confine(sandbox, from, "entry");
    const destination = await confine(sandbox, to, "entry");
    for (const place of [source, destination]) {
      if (place.name === "") throw refuse("PATH_PROTECTED", place.relative, "is the sandbox itself");
    }
    const below = within(source.absolute, destination.absolute);
    if (below !== undefined && below !== "")
      throw refuse("INVALID_ARGUMENTS", source.relative, "cannot be moved into itself");
    await inDirectory(source, async (here) => {
      const moved = await lstat(here.target);
      await makeParents(destination);
      await inDirectory(destination, async (there) => {
        const taken = await lstat(there.target).catch(() => undefined);
        if (taken !== undefined && !isOtherSpelling(source, destination, moved, taken)) {
          throw refuse("FILE_EXISTS", destination.relative, "is there already");
        }
        await rename(here.target, there.target);
      });
    });
    return {
      value: { from: source.relative, to: destination.relative },
      summary: `renamed ${source.relative} to ${destination.relative}`,
    };
  },
});

/** `readme` → `README` on a disk that takes both for the same. */
function isOtherSpelling(
  source: ConfinedPath,
  destination: ConfinedPath,
  moved: Stats,
  taken: Stats,
): boolean {
  const same = moved.ino === taken.ino && moved.dev === taken.dev;
  return same && source.absolute.toLowerCase() === destination.absolute.toLowerCase();
}
