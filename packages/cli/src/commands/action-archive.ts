import { callCommand } from "../command/call-command.ts";
import { fields } from "../output/words.ts";

export const command = callCommand({
  method: "_cleveragents/registry/action/archive",
  params: ({ values }) => ({ name: values.positional("NAME"), revision: values.text("revision") }),
  text: ({ name, state }) =>
    fields([
      ["Action", name],
      ["State", state],
    ]),
  names: ({ name }) => [name],
});
