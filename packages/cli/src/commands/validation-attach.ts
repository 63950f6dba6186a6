import { callCommand } from "../command/call-command.ts";
import { fields } from "../output/words.ts";

export const command = callCommand({
  method: "_cleveragents/registry/validation/attach",
  params: ({ values }) => ({
    validation: values.positional("NAME"),
    project: values.text("project"),
    action: values.text("action"),
    mode: values.text("mode") as "required" | "informational" | undefined,
  }),
  text: ({ attachment_id, validation, mode, scope, target }) =>
    fields([
      ["Attachment", attachment_id],
      ["Validation", `${validation} (${mode})`],
      ["Checks", `new plans of the ${scope} ${target}`],
    ]),
  names: ({ attachment_id }) => [attachment_id],
});
