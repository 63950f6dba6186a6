import { callCommand } from "../command/call-command.ts";
import { toYaml } from "../output/yaml.ts";

export const command = callCommand({
  method: "_cleveragents/profile/show",
  params: ({ values }) => ({ name: values.positional("NAME") }),
  text: (profile) => toYaml(profile).trimEnd(),
  names: ({ name }) => [name],
});
