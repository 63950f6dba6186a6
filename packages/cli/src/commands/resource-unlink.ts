import { callCommand } from "../command/call-command.ts";
import { resourceText } from "../output/resource-text.ts";

export const command = callCommand({
  method: "_cleveragents/registry/resource/unlink",
  params: ({ values }) => ({ parent: values.positional("PARENT"), child: values.positional("CHILD") }),
  text: resourceText,
  names: ({ name }) => [name],
});
