import { STEP_SCHEMAS } from "@cleveragents/domain";
import { defineTool } from "./builtin-tool.ts";
import { confine } from "./confine.ts";
import { readContent } from "./file-content.ts";

const MAX_BYTES = 1024 * 1024;

export const readFileTool = defineTool({
  name: "builtin/read_file",
  description: "Reads a file of at most 1 MiB: as text, or as base64 if it is binary.",
  input: STEP_SCHEMAS.read,
  readOnly: true,
  idempotent: true,
  effect: "none",
  async run({ path }, { sandbox }) {
    const place = await confine(sandbox, path, "read");
    const { bytes, text } = await readContent(place, MAX_BYTES);
    return {
      value: {
        content: text ?? bytes.toString("base64"),
        encoding: text === undefined ? "base64" : "utf8",
        size: bytes.length,
      },
      summary: `read ${place.relative} (${bytes.length} bytes)`,
    };
  },
});
