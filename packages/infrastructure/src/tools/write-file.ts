import { ToolError } from "@cleveragents/application";
import { STEP_SCHEMAS } from "@cleveragents/domain";
import { defineTool } from "./builtin-tool.ts";
import { confine } from "./confine.ts";
import { writeAtomically } from "./write-atomically.ts";

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export const writeFileTool = defineTool({
  name: "builtin/write_file",
  description:
    "Writes a whole file, making the directories above it. An existing file is replaced and keeps its mode unless one is given.",
  input: STEP_SCHEMAS.write,
  readOnly: false,
  idempotent: true,
  effect: "sandbox",
  async run({ path, content, encoding, mode }, { sandbox }) {
    const bytes = encoding === "base64" ? fromBase64(content) : Buffer.from(content, "utf8");
    const place = await confine(sandbox, path, "write");
    const { created } = await writeAtomically(
      place,
      bytes,
      mode === undefined ? undefined : Number.parseInt(mode, 8),
    );
    return {
      value: { path: place.relative, size: bytes.length, created },
      summary: `${created ? "created" : "wrote"} ${place.relative} (${bytes.length} bytes)`,
    };
  },
});

/** Node's own decoder skips what it does not understand, and would write half a file. */
function fromBase64(content: string): Buffer {
  const compact = content.replace(/\s/g, "");
  if (!BASE64.test(compact)) throw new ToolError("INVALID_ARGUMENTS", "content: is not base64");
  return Buffer.from(compact, "base64");
}
