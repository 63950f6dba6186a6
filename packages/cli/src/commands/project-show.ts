import { callCommand } from "../command/call-command.ts";
import { projectText } from "../output/project-text.ts";

export const command = callCommand({
  method: "_cleveragents/registry/project/show",
  params: ({ values }) => ({ name: values.positional("NAME") }),
  text: projectText,
  names: ({ name }) => [name],
});
