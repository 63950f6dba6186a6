import { callCommand } from "../command/call-command.ts";

export const command = callCommand({
  method: "_cleveragents/registry/mcp/logout",
  params: ({ values }) => ({ name: values.positional("NAME") }),
  text: ({ name, forgotten }) => (forgotten ? `Logged out of ${name}` : `Nobody was logged in at ${name}`),
  names: ({ name }) => [name],
});
