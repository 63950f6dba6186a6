import { callCommand } from "../command/call-command.ts";
import { documentParams } from "../command/document.ts";
import { fields } from "../output/words.ts";

export const command = callCommand({
  method: "_cleveragents/registry/validation/add",
  params: documentParams,
  text: ({ name, mode, description }) =>
    fields([
      ["Validation", `${name} (${mode})`],
      ["Description", description],
      ["Next", `agents validation attach ${name} --project PROJECT`],
    ]),
  names: ({ name }) => [name],
});
