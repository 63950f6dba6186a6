import { symlink } from "node:fs/promises";
import { ToolError } from "@cleveragents/application";
import { STEP_SCHEMAS } from "@cleveragents/domain";
import { defineTool } from "./builtin-tool.ts";
import { confine } from "./confine.ts";
import { refuse } from "./file-failure.ts";
import { inDirectory } from "./open-confined.ts";
import { makeParents } from "./write-atomically.ts";

export const symlinkTool = defineTool({
  name: "builtin/symlink",
  description:
    "Makes a symbolic link. Nothing is read or written through one that leads out of the project, and a changeset that has one is refused.",
  input: STEP_SCHEMAS.symlink,
  readOnly: false,
  idempotent: false,
  effect: "sandbox",
  async run({ path, target: to }, { sandbox }) {
    if (to.includes("\0"))
      throw new ToolError("INVALID_ARGUMENTS", "target: a path cannot hold a NUL character");
    const place = await confine(sandbox, path, "entry");
    if (place.name === "") throw refuse("FILE_EXISTS", place.relative, "is the sandbox itself");
    await makeParents(place);
    await inDirectory(place, ({ target }) => symlink(to, target));
    return { value: { path: place.relative, target: to }, summary: `linked ${place.relative} to ${to}` };
  },
});
