import { callCommand } from "../command/call-command.ts";
import { table } from "../output/table.ts";

const counted = (sign: string, names: readonly string[] = []): string[] =>
  names.length === 0 ? [] : [`${sign}${names.length}`];

export const command = callCommand({
  method: "_cleveragents/registry/mcp/refresh",
  params: ({ values }) => ({ name: values.optionalPositional("NAME") }),
  text: ({ servers }, page) =>
    servers.length === 0
      ? "No MCP servers."
      : table(
          servers,
          [
            { head: "NAME", cell: ({ name }) => name, shrinkTo: 10 },
            { head: "STATUS", cell: ({ status }) => status },
            { head: "TOOLS", cell: ({ tools }) => String(tools), align: "right" },
            {
              head: "CHANGES",
              cell: ({ added, removed, changed }) =>
                [...counted("+", added), ...counted("-", removed), ...counted("~", changed)].join(" "),
            },
            { head: "WHY", cell: ({ message }) => message ?? "", shrinkTo: 20, wrap: true },
          ],
          page,
        ),
  names: ({ servers }) => servers.map(({ name }) => name),
});
