import { callCommand } from "../command/call-command.ts";
import { table } from "../output/table.ts";

export const command = callCommand({
  method: "_cleveragents/registry/skill/refresh",
  params: ({ values }) => ({ name: values.optionalPositional("NAME") }),
  text: ({ skills }, page) =>
    skills.length === 0
      ? "No skills."
      : table(
          skills,
          [
            { head: "NAME", cell: ({ name }) => name },
            { head: "STATUS", cell: ({ status }) => status },
            { head: "TOOLS", cell: ({ tools }) => String(tools), align: "right" },
            {
              head: "CHANGES",
              cell: ({ added, removed }) =>
                [...added.map((name) => `+${name}`), ...removed.map((name) => `-${name}`)].join(" "),
              shrinkTo: 12,
            },
          ],
          page,
        ),
  names: ({ skills }) => skills.map(({ name }) => name),
  note: ({ shadowed, diagnostics }) => {
    const notes = [
      ...shadowed.map(({ name, folder, by }) => `${name} in ${folder} is not there: ${by} has the same name`),
      ...diagnostics.map(
        ({ folder, level, message, line }) =>
          `${level}: ${folder}${line === undefined ? "" : `, line ${line}`}: ${message}`,
      ),
    ];
    return notes.length === 0 ? undefined : notes.join("\n");
  },
});
