import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";

export const command = callCommand({
  method: "_cleveragents/registry/lsp/list",
  params: ({ values }) => ({
    namespace: values.text("namespace"),
    language: values.text("language"),
    ...pageParams(values),
  }),
  text: ({ lsp_servers }, page) =>
    lsp_servers.length === 0
      ? "No language servers. agents lsp add FILE registers one."
      : table(
          lsp_servers,
          [
            { head: "NAME", cell: ({ name }) => name },
            { head: "LANGUAGES", cell: ({ languages }) => languages.join(" "), shrinkTo: 10 },
            { head: "COMMAND", cell: ({ command, args }) => [command, ...args].join(" "), shrinkTo: 16 },
            { head: "DESCRIPTION", cell: ({ description }) => description ?? "", shrinkTo: 12 },
          ],
          page,
        ),
  names: ({ lsp_servers }) => lsp_servers.map(({ name }) => name),
  note: moreNote,
});
