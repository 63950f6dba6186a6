import { callCommand } from "../command/call-command.ts";
import { documentParams } from "../command/document.ts";
import { fields } from "../output/words.ts";

export const command = callCommand({
  method: "_cleveragents/registry/action/add",
  params: documentParams,
  text: ({ name, description }) =>
    fields([
      ["Action", name],
      ["Description", description],
      ["Next", `agents plan use ${name}`],
    ]),
  names: ({ name }) => [name],
});
