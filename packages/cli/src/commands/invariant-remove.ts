import { callCommand } from "../command/call-command.ts";

export const command = callCommand({
  method: "_cleveragents/invariant/remove",
  params: ({ values }) => ({ id: values.positional("ID") }),
  text: ({ id }) => `Removed ${id}`,
  names: ({ id }) => [id],
});
