import { callCommand } from "../command/call-command.ts";
import { table } from "../output/table.ts";

export const command = callCommand({
  method: "_cleveragents/registry/mcp/test",
  params: ({ values }) => ({ name: values.positional("NAME") }),
  text: ({ name, server, protocol, started_ms, enforcement, tools, left_running }, page) => {
    const isolation = enforcement === undefined ? "" : `, isolation ${enforcement}`;
    const head = `${name}: ${server.name} ${server.version}, MCP ${protocol}, answered after ${started_ms} ms${isolation}`;
    const left =
      left_running === 0 ? "Stopped; nothing of it is left." : `Left running: ${left_running} processes.`;
    const list =
      tools.length === 0
        ? "It offers no tools."
        : table(
            tools,
            [
              { head: "TOOL", cell: ({ exposed_name }) => exposed_name, shrinkTo: 20 },
              { head: "OFFERED", cell: ({ offered }) => (offered ? "yes" : "no") },
              {
                head: "DESCRIPTION",
                cell: ({ description }) => description.split("\n")[0] ?? "",
                shrinkTo: 12,
              },
            ],
            page,
          );
    return `${head}\n${list}\n${left}`;
  },
  names: ({ tools }) => tools.map(({ exposed_name }) => exposed_name),
  note: ({ refused, warnings, skipped_lines }) => {
    const notes = [
      ...refused.map(({ name, why }) => `the tool ${JSON.stringify(name)} cannot be used: ${why}`),
      ...warnings,
      ...(skipped_lines === 0 ? [] : [`${skipped_lines} lines on its stdout were no messages`]),
    ];
    return notes.length === 0 ? undefined : notes.join("\n");
  },
});
