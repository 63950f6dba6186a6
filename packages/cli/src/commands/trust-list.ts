import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";
import { age } from "../output/words.ts";

export const command = callCommand({
  method: "_cleveragents/trust/list",
  params: ({ values }) => ({
    kind: values.text("kind") as "mcp" | "lsp" | "skill" | "tool" | undefined,
    ...pageParams(values),
  }),
  text: ({ consents }, page) =>
    consents.length === 0
      ? "Nothing is trusted, and nothing has asked."
      : table(
          consents,
          [
            { head: "KIND", cell: ({ kind }) => kind },
            { head: "NAME", cell: ({ name }) => name, shrinkTo: 10 },
            { head: "TRUSTED", cell: ({ trusted }) => (trusted ? "yes" : "no, has asked") },
            { head: "BY", cell: ({ granted_by }) => granted_by ?? "", shrinkTo: 8 },
            {
              head: "AGE",
              cell: ({ granted_at }) => (granted_at === undefined ? "" : age(granted_at, page.now)),
              align: "right",
            },
            {
              head: "COMMAND",
              cell: ({ command = "", args = [] }) => [command, ...args].join(" "),
              shrinkTo: 12,
            },
            { head: "DIGEST", cell: ({ digest }) => digest, shrinkTo: 16 },
          ],
          page,
        ),
  names: ({ consents }) => consents.map(({ digest }) => digest),
  note: moreNote,
});
