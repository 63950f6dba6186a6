import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";

export const command = callCommand({
  method: "_cleveragents/profile/list",
  params: ({ values }) => ({ namespace: values.text("namespace"), ...pageParams(values) }),
  text: ({ profiles }, page) =>
    profiles.length === 0
      ? "No profiles here. agents profile add FILE registers one."
      : table(
          profiles,
          [
            { head: "NAME", cell: ({ name }) => name },
            { head: "SOURCE", cell: ({ source, is_default }) => `${source}${is_default ? ", default" : ""}` },
            { head: "DESCRIPTION", cell: ({ description }) => description, shrinkTo: 12 },
          ],
          page,
        ),
  names: ({ profiles }) => profiles.map(({ name }) => name),
  note: moreNote,
});
