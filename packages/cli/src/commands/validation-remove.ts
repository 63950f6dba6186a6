import { callCommand } from "../command/call-command.ts";

export const command = callCommand({
  method: "_cleveragents/registry/validation/remove",
  params: ({ values }) => ({ name: values.positional("NAME") }),
  text: ({ name }) => `Removed ${name}`,
  names: ({ name }) => [name],
});
