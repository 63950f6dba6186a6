import { helpText } from "../command/help.ts";
import { TOPICS } from "../command/help-topics.ts";
import { commandRows as commands, commandTable } from "../command-table.ts";

/** All that `agents help` says, as one page: every command with the method that it calls, and every topic. */
export function referencePage(): string {
  const methods = new Map(
    Object.entries(commandTable).flatMap(([name, row]) => (row === null ? [] : [[row, name]])),
  );
  const nouns = [...new Set(commands.map(({ path: [noun] }) => noun))];
  const sections = nouns.flatMap((noun) => [
    `## ${noun}`,
    ...commands
      .filter(({ path }) => path[0] === noun)
      .flatMap((row) => {
        const method = methods.get(row);
        return [
          `### agents ${row.path.join(" ")}`,
          ...(method === undefined ? [] : [`Calls \`${method}\`.`]),
          block(helpText(row.path, commands)),
        ];
      }),
  ]);
  const silent = Object.entries(commandTable).flatMap(([name, row]) => (row === null ? [`\`${name}\``] : []));
  return `${[
    "# Reference of `agents`",
    "What `agents help` says, on one page; made from the table of commands by `packages/cli/src/command/reference.test.ts`.",
    `Methods without a command of their own, which \`agents a2a …\` or another command calls: ${silent.join(", ")}.`,
    ...sections,
    "## Topics",
    ...Object.keys(TOPICS)
      .filter((topic) => topic !== "commands")
      .flatMap((topic) => [`### agents help ${topic}`, block(helpText([topic], commands))]),
  ].join("\n\n")}\n`;
}

function block(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}
