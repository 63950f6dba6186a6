import { callCommand } from "../command/call-command.ts";
import { table } from "../output/table.ts";
import { count } from "../output/words.ts";

export const command = callCommand({
  method: "_cleveragents/registry/skill/tools",
  params: ({ values }) => ({ name: values.positional("NAME"), project: values.text("project") }),
  text: ({ skill, tools, summary }, page) =>
    tools.length === 0
      ? `${skill} brings no tools.`
      : `${table(
          tools,
          [
            { head: "NAME", cell: ({ name }) => name },
            { head: "SOURCE", cell: ({ source }) => source },
            { head: "FROM", cell: ({ from_skill }) => from_skill, shrinkTo: 10 },
            { head: "ACCESS", cell: ({ writes }) => (writes ? "write" : "read") },
            { head: "UNDONE", cell: ({ checkpoint }) => (checkpoint ? "with the copy" : "no") },
          ],
          page,
        )}\n${count(summary.total, "tool")}, ${summary.read_only} of them read only.`,
  names: ({ tools }) => tools.map(({ name }) => name),
  note: ({ missing }) =>
    missing.length === 0
      ? undefined
      : `not there now: ${missing
          .map(
            ({ name, from_skill, hint }) =>
              `${name} (of ${from_skill}${hint === undefined ? "" : `; ${hint}`})`,
          )
          .join(", ")}`,
});
