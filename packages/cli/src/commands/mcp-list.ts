import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";

export const command = callCommand({
  method: "_cleveragents/registry/mcp/list",
  params: ({ values }) => ({ namespace: values.text("namespace"), ...pageParams(values) }),
  text: ({ mcp_servers }, page) =>
    mcp_servers.length === 0
      ? "No MCP servers. agents mcp add FILE registers one."
      : table(
          mcp_servers,
          [
            { head: "NAME", cell: ({ name }) => name },
            { head: "TRANSPORT", cell: ({ transport }) => transport },
            {
              head: "WHERE",
              cell: ({ url, command = "", args = [] }) => url ?? [command, ...args].join(" "),
              shrinkTo: 16,
            },
            { head: "DESCRIPTION", cell: ({ description }) => description ?? "", shrinkTo: 12 },
          ],
          page,
        ),
  names: ({ mcp_servers }) => mcp_servers.map(({ name }) => name),
  note: moreNote,
});
