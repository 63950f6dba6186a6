import { callCommand } from "../command/call-command.ts";
import { toYaml } from "../output/yaml.ts";

export const command = callCommand({
  method: "_cleveragents/registry/action/show",
  params: ({ values }) => ({ name: values.positional("NAME") }),
  text: ({ action }) => toYaml(action).trimEnd(),
  names: ({ name }) => [name],
});
