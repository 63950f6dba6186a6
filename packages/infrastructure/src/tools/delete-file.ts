import { lstat, rm, unlink } from "node:fs/promises";
import { STEP_SCHEMAS } from "@cleveragents/domain";
import { defineTool } from "./builtin-tool.ts";
import { confine } from "./confine.ts";
import { refuse } from "./file-failure.ts";
import { inDirectory } from "./open-confined.ts";

export const deleteFileTool = defineTool({
  name: "builtin/delete_file",
  description: "Deletes a file, a link (never what it points to), or a directory with everything in it.",
  input: STEP_SCHEMAS.delete,
  readOnly: false,
  idempotent: false,
  effect: "sandbox",
  async run({ path }, { sandbox }) {
    const place = await confine(sandbox, path, "entry");
    if (place.name === "") throw refuse("PATH_PROTECTED", place.relative, "is the sandbox itself");
    const type = await inDirectory(place, async ({ target }) => {
      const stats = await lstat(target);
      if (stats.isDirectory()) await rm(target, { recursive: true });
      else await unlink(target);
      return stats.isDirectory() ? "directory" : stats.isSymbolicLink() ? "link" : "file";
    });
    return { value: { path: place.relative, type }, summary: `deleted the ${type} ${place.relative}` };
  },
});
