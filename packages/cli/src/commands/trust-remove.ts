import { callCommand } from "../command/call-command.ts";
import { trustParams } from "../command/trust-params.ts";

export const command = callCommand({
  method: "_cleveragents/trust/remove",
  params: trustParams,
  text: ({ removed }) =>
    removed.map(({ kind, name, digest }) => `No longer trusted: ${kind} ${name} (${digest})`).join("\n"),
  names: ({ removed }) => removed.map(({ digest }) => digest),
});
