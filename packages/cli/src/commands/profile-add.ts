import { callCommand } from "../command/call-command.ts";
import { documentParams } from "../command/document.ts";
import { fields } from "../output/words.ts";

export const command = callCommand({
  method: "_cleveragents/profile/add",
  params: documentParams,
  text: ({ name, description }) =>
    fields([
      ["Profile", name],
      ["Description", description],
      ["Next", `agents plan use ACTION --automation-profile ${name}`],
    ]),
  names: ({ name }) => [name],
});
