import { callCommand } from "../command/call-command.ts";
import { trustParams } from "../command/trust-params.ts";
import { fields } from "../output/words.ts";

export const command = callCommand({
  method: "_cleveragents/trust/add",
  params: trustParams,
  text: ({ kind, name, command, args = [], variables = [], files = [], digest }) =>
    fields([
      ["Trusted", `${kind} ${name}`],
      ["Command", command === undefined ? undefined : [command, ...args].join(" ")],
      ["Variables", variables.join(" ")],
      ["Files", files.map(({ path }) => path).join("\n")],
      ["Digest", digest],
    ]),
  names: ({ digest }) => [digest],
});
