import { resolve } from "node:path";
import { callCommand } from "../command/call-command.ts";
import type { Invocation } from "../command/command.ts";
import { readDocument } from "../command/document.ts";
import { namedArguments } from "../command/named-arguments.ts";
import { resourceText } from "../output/resource-text.ts";

export const command = callCommand({
  method: "_cleveragents/registry/resource/add",
  async params(invocation) {
    const { values } = invocation;
    const name = values.optionalPositional("NAME");
    const update = values.isSet("update");
    if (name === undefined) return { ...(await readDocument(invocation, values.positional("TYPE"))), update };
    const parents = values.list("part-of");
    return {
      type: values.positional("TYPE"),
      name,
      update,
      description: values.text("description"),
      arguments: argumentsOf(invocation),
      ...(parents.length === 0 ? {} : { parents: [...parents] }),
    };
  },
  text: resourceText,
  names: ({ name }) => [name],
});

function argumentsOf({ context, values }: Invocation): Record<string, string> {
  const path = values.text("path");
  const branch = values.text("branch");
  return {
    ...namedArguments(values.list("arg"), "--arg"),
    ...(path === undefined ? {} : { path: resolve(context.cwd, path) }),
    ...(branch === undefined ? {} : { branch }),
  };
}
