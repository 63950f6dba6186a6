import { callCommand } from "../command/call-command.ts";

export const command = callCommand({
  method: "_cleveragents/registry/validation/detach",
  params: ({ values }) => ({ attachment_id: values.positional("ID") }),
  text: ({ attachment_id }) => `Detached ${attachment_id}`,
  names: ({ attachment_id }) => [attachment_id],
});
