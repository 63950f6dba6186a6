import { callCommand } from "../command/call-command.ts";
import { toYaml } from "../output/yaml.ts";

export const command = callCommand({
  method: "_cleveragents/registry/actor/show",
  params: ({ values }) => ({ name: values.positional("NAME") }),
  text: ({ actor }) => toYaml(actor).trimEnd(),
  names: ({ name }) => [name],
});
