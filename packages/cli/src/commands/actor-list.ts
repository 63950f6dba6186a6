import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";

export const command = callCommand({
  method: "_cleveragents/registry/actor/list",
  params: ({ values }) => ({ namespace: values.text("namespace"), ...pageParams(values) }),
  text: ({ actors }, page) =>
    actors.length === 0
      ? "No actors. agents actor add FILE registers one."
      : table(
          actors,
          [
            { head: "NAME", cell: ({ name }) => name },
            { head: "TYPE", cell: ({ type }) => type },
            { head: "SOURCE", cell: ({ source }) => source },
            { head: "DESCRIPTION", cell: ({ description }) => description, shrinkTo: 12 },
          ],
          page,
        ),
  names: ({ actors }) => actors.map(({ name }) => name),
  note: moreNote,
});
