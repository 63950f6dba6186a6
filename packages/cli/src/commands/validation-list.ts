import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";

export const command = callCommand({
  method: "_cleveragents/registry/validation/list",
  params: ({ values }) => ({ namespace: values.text("namespace"), ...pageParams(values) }),
  text: ({ validations }, page) =>
    validations.length === 0
      ? "No validations here. agents validation add FILE registers one."
      : table(
          validations,
          [
            { head: "NAME", cell: ({ name }) => name },
            { head: "MODE", cell: ({ mode }) => mode },
            { head: "BY", cell: ({ kind }) => kind },
            { head: "ATTACHED", cell: ({ attachments }) => String(attachments) },
            { head: "DESCRIPTION", cell: ({ description }) => description, shrinkTo: 12 },
          ],
          page,
        ),
  names: ({ validations }) => validations.map(({ name }) => name),
  note: moreNote,
});
