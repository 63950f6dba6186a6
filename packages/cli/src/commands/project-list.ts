import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";

export const command = callCommand({
  method: "_cleveragents/registry/project/list",
  params: ({ values }) => ({ namespace: values.text("namespace"), ...pageParams(values) }),
  text: ({ projects }, page) =>
    projects.length === 0
      ? "No projects. agents project create NAME --path DIR registers one."
      : table(
          projects,
          [
            { head: "NAME", cell: ({ name }) => name },
            { head: "PATH", cell: ({ path }) => path, shrinkTo: 16 },
            { head: "PROFILE", cell: ({ automation_profile }) => automation_profile ?? "" },
            { head: "DESCRIPTION", cell: ({ description }) => description ?? "", shrinkTo: 12 },
          ],
          page,
        ),
  names: ({ projects }) => projects.map(({ name }) => name),
  note: moreNote,
});
