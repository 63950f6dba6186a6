import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";

export const command = callCommand({
  method: "_cleveragents/registry/skill/list",
  params: ({ values }) => ({ namespace: values.text("namespace"), ...pageParams(values) }),
  text: ({ skills }, page) =>
    skills.length === 0
      ? "No skills. agents skill add FILE registers one."
      : table(
          skills,
          [
            { head: "NAME", cell: ({ name }) => name },
            { head: "SOURCE", cell: ({ source }) => source },
            { head: "TOOLS", cell: ({ tools, builtins }) => [...tools, ...builtins].join(" "), shrinkTo: 10 },
            { head: "INCLUDES", cell: ({ includes }) => includes.join(" "), shrinkTo: 10 },
            { head: "SERVERS", cell: ({ mcp_servers }) => mcp_servers.join(" "), shrinkTo: 8 },
            { head: "DESCRIPTION", cell: ({ description }) => description ?? "", shrinkTo: 12 },
          ],
          page,
        ),
  names: ({ skills }) => skills.map(({ name }) => name),
  note: moreNote,
});
