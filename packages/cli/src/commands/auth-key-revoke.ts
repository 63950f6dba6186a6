import { callCommand } from "../command/call-command.ts";

export const command = callCommand({
  method: "_cleveragents/auth/key/revoke",
  params: ({ values }) => ({ key_id: values.positional("ID") }),
  text: ({ key_id, name }) => `Key: ${key_id} (${name}) is revoked`,
  names: ({ key_id }) => [key_id],
});
