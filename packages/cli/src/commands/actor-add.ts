import { callCommand } from "../command/call-command.ts";
import { documentParams } from "../command/document.ts";
import { fields } from "../output/words.ts";

export const command = callCommand({
  method: "_cleveragents/registry/actor/add",
  params: documentParams,
  text: ({ name, type, description }) =>
    fields([
      ["Actor", name],
      ["Type", type],
      ["Description", description],
    ]),
  names: ({ name }) => [name],
});
