import { ToolError } from "@cleveragents/application";
import { z } from "zod";
import { defineTool } from "./builtin-tool.ts";
import { confine } from "./confine.ts";
import { readContent } from "./file-content.ts";

const MAX_BYTES = 1024 * 1024;
/** Of a file that is read by lines. */
const MAX_BYTES_BY_LINES = 16 * 1024 * 1024;
/** Of what is read by lines; whoever wants more asks for the next ones. */
const MAX_CHARACTERS = 256 * 1024;

export const readFileTool = defineTool({
  name: "builtin/read_file",
  description:
    "Reads a file: as text, or as base64 if it is binary. A file of more than 1 MiB is read by lines: `offset` is the first one, counted from 1, `limit` how many; the answer says which lines it holds and how many there are.",
  input: z.strictObject({
    path: z.string().min(1),
    offset: z.number().int().min(1).optional(),
    limit: z.number().int().min(1).max(100_000).optional(),
  }),
  readOnly: true,
  idempotent: true,
  effect: "none",
  async run({ path, offset, limit }, { sandbox }) {
    const place = await confine(sandbox, path, "read");
    const byLines = offset !== undefined || limit !== undefined;
    const { bytes, text } = await readContent(place, byLines ? MAX_BYTES_BY_LINES : MAX_BYTES);
    const size = bytes.length;
    if (!byLines)
      return {
        value: {
          content: text ?? bytes.toString("base64"),
          encoding: text === undefined ? "base64" : "utf8",
          size,
        },
        summary: `read ${place.relative} (${size} bytes)`,
      };
    if (text === undefined)
      throw new ToolError("BINARY_FILE", `${place.relative} is not a text file, so it has no lines`);
    const part = linesOf(text, offset ?? 1, limit ?? 2000);
    const { start_line, end_line, total_lines } = part;
    return {
      value: { ...part, encoding: "utf8", size },
      summary: `read ${place.relative} (lines ${start_line} to ${end_line} of ${total_lines})`,
    };
  },
});

function linesOf(text: string, offset: number, limit: number) {
  const lines = text.split(/(?<=\n)/);
  const kept: string[] = [];
  let characters = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    if (kept.length > 0 && characters + line.length > MAX_CHARACTERS) break;
    kept.push(line.slice(0, MAX_CHARACTERS));
    characters += line.length;
  }
  const end = offset - 1 + kept.length;
  return {
    content: kept.join(""),
    start_line: offset,
    end_line: end,
    total_lines: lines.length,
    truncated: offset > 1 || end < lines.length,
  };
}
