import { STEP_SCHEMAS } from "@cleveragents/domain";
import { defineTool } from "./builtin-tool.ts";
import { confine } from "./confine.ts";
import { readContent } from "./file-content.ts";
import { refuse } from "./file-failure.ts";
import { replaceLiterally } from "./replace-literally.ts";
import { writeAtomically } from "./write-atomically.ts";

const MAX_BYTES = 16 * 1024 * 1024;

export const editFileTool = defineTool({
  name: "builtin/edit_file",
  description:
    "Replaces text in a text file, literally. `occurrences`: `one` (the text must be there exactly once), `first` or `all`. Line ends, mode and a missing last line break are kept.",
  input: STEP_SCHEMAS.edit,
  readOnly: false,
  idempotent: false,
  effect: "sandbox",
  async run({ path, find, replace, occurrences }, { sandbox }) {
    const place = await confine(sandbox, path, "write");
    const { text } = await readContent(place, MAX_BYTES);
    if (text === undefined) throw refuse("BINARY_FILE", place.relative, "is not a text file");
    const replaced = replaceLiterally(text, find, replace, occurrences);
    if ("found" in replaced) {
      if (replaced.found === 0)
        throw refuse("EDIT_NO_MATCH", place.relative, "does not contain the text to replace");
      const what = `contains the text to replace ${replaced.found} times, not once`;
      throw refuse("EDIT_NOT_UNIQUE", place.relative, what, { count: replaced.found });
    }
    await writeAtomically(place, Buffer.from(replaced.text, "utf8"));
    const { replacements } = replaced;
    return {
      value: { path: place.relative, replacements },
      summary: `edited ${place.relative} (${replacements} ${replacements === 1 ? "place" : "places"})`,
    };
  },
});
