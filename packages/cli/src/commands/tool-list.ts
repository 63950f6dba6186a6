import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";

export const command = callCommand({
  method: "_cleveragents/registry/tool/list",
  params: ({ values }) => ({
    namespace: values.text("namespace"),
    source: values.text("source"),
    ...pageParams(values),
  }),
  text: ({ tools }, page) =>
    tools.length === 0
      ? "No tools."
      : table(
          tools,
          [
            { head: "NAME", cell: ({ name }) => name },
            { head: "SOURCE", cell: ({ source }) => source },
            { head: "ACCESS", cell: ({ writes }) => (writes ? "write" : "read") },
            { head: "EFFECT", cell: ({ effect }) => effect },
            { head: "DESCRIPTION", cell: ({ description }) => description, shrinkTo: 12 },
          ],
          page,
        ),
  names: ({ tools }) => tools.map(({ name }) => name),
  note: moreNote,
});
