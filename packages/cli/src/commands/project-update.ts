import { resolve } from "node:path";
import { callCommand } from "../command/call-command.ts";
import { projectFile } from "../command/project-file.ts";
import { projectText } from "../output/project-text.ts";

export const command = callCommand({
  method: "_cleveragents/registry/project/update",
  async params(invocation) {
    const { context, values } = invocation;
    const flags = ["path", "description", "automation-profile", "resource", "invariant"];
    const file = await projectFile(invocation, flags);
    if (file !== undefined) return { ...file, revision: values.text("revision") };
    const path = values.text("path");
    return {
      name: values.positional("NAME"),
      path: path === undefined ? undefined : resolve(context.cwd, path),
      description: values.text("description"),
      automation_profile: values.text("automation-profile"),
      linked_resources: values.isSet("resource")
        ? values.list("resource").filter((name) => name !== "")
        : undefined,
      invariants: values.isSet("invariant")
        ? values.list("invariant").filter((text) => text !== "")
        : undefined,
      revision: values.text("revision"),
    };
  },
  text: projectText,
  names: ({ name }) => [name],
});
