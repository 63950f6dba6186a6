import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";

export const command = callCommand({
  method: "_cleveragents/registry/resource/list",
  params: ({ values }) => ({
    namespace: values.text("namespace"),
    type_name: values.text("type"),
    ...pageParams(values),
  }),
  text: ({ resources }, page) =>
    resources.length === 0
      ? "No resources. agents resource add TYPE NAME registers one."
      : table(
          resources,
          [
            { head: "NAME", cell: ({ name }) => name },
            { head: "TYPE", cell: ({ type }) => type },
            {
              head: "ARGUMENTS",
              cell: ({ arguments: given }) =>
                Object.entries(given)
                  .map(([key, value]) => `${key}=${value}`)
                  .join(" "),
              shrinkTo: 16,
            },
            { head: "PART OF", cell: ({ parents }) => parents.join(" "), shrinkTo: 10 },
          ],
          page,
        ),
  names: ({ resources }) => resources.map(({ name }) => name),
  note: moreNote,
});
