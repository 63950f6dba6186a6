import { STEP_SCHEMAS } from "@cleveragents/domain";
import { defineTool } from "./builtin-tool.ts";
import { confine } from "./confine.ts";
import { onFile } from "./file-failure.ts";
import { openConfined } from "./open-confined.ts";

export const chmodFileTool = defineTool({
  name: "builtin/chmod_file",
  description: "Makes a file executable (755) or not (644).",
  input: STEP_SCHEMAS.chmod,
  readOnly: false,
  idempotent: true,
  effect: "sandbox",
  async run({ path, mode }, { sandbox }) {
    const place = await confine(sandbox, path, "write");
    const handle = await openConfined(place);
    try {
      await onFile(place.relative, () => handle.chmod(Number.parseInt(mode, 8)));
    } finally {
      await handle.close();
    }
    return { value: { path: place.relative, mode }, summary: `set the mode of ${place.relative} to ${mode}` };
  },
});
