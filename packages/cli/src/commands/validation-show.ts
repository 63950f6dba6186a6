import { callCommand } from "../command/call-command.ts";
import { toYaml } from "../output/yaml.ts";

export const command = callCommand({
  method: "_cleveragents/registry/validation/show",
  params: ({ values }) => ({ name: values.positional("NAME") }),
  text: (validation) => toYaml(validation).trimEnd(),
  names: ({ name }) => [name],
});
