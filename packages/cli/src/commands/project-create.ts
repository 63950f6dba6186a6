import { resolve } from "node:path";
import { callCommand } from "../command/call-command.ts";
import { projectFile } from "../command/project-file.ts";
import { projectText } from "../output/project-text.ts";

export const command = callCommand({
  method: "_cleveragents/registry/project/add",
  async params(invocation) {
    const { context, values } = invocation;
    const file = await projectFile(invocation, ["path", "description", "automation-profile", "invariant"]);
    if (file !== undefined) return file;
    return {
      name: values.positional("NAME"),
      path: resolve(context.cwd, values.text("path") ?? "."),
      description: values.text("description"),
      automation_profile: values.text("automation-profile"),
      ...(values.isSet("invariant") ? { invariants: [...values.list("invariant")] } : {}),
    };
  },
  text: projectText,
  names: ({ name }) => [name],
});
