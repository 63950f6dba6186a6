import { usageError } from "../cli-error.ts";
import { type Paint, PLAIN } from "../output/paint.ts";
import { closest } from "./closest.ts";
import type { CommandRow } from "./command-row.ts";
import { commandsUnder, findCommand, nounsOf, pathsOf, startsWith } from "./find-command.ts";
import { columns, flagLines, type Pair } from "./flag-lines.ts";
import { TOPICS } from "./help-topics.ts";
import { commandOverview } from "./overview.ts";
import { usageLine } from "./parse-command-line.ts";

/** The help text for the words after `agents help`, or before `--help`: a topic, a command, a noun, or everything. */
export function helpText(
  words: readonly string[],
  rows: readonly CommandRow[],
  paint: Paint = PLAIN,
): string {
  const [first = ""] = words;
  if (words.length === 0) return overview(rows, paint);
  const topic = words.length === 1 && Object.hasOwn(TOPICS, first) ? TOPICS[first] : undefined;
  if (topic !== undefined) return topic.text(paint, rows);
  const command = findCommand(words, rows);
  if (command !== undefined) return commandHelp(command.row, paint);
  const under = commandsUnder(words, rows);
  if (under.length > 0) return nounHelp(words, under, paint);
  const near = closest(first, [...nounsOf(rows), ...Object.keys(TOPICS)]);
  throw usageError(
    `no help about "${words.join(" ")}"`,
    near === undefined || near === first
      ? "agents help lists commands and topics"
      : `did you mean agents help ${near}?`,
  );
}

function overview(rows: readonly CommandRow[], paint: Paint): string {
  return [
    "Plans that agents carry out and you review.",
    "",
    `${paint.bold("Usage:")} agents <noun> <verb> [ID] [flags]`,
    "",
    section("Commands", commandOverview(rows), paint),
    section(
      "Topics",
      columns(Object.entries(TOPICS).map(([name, { summary }]) => [`help ${name}`, summary])),
      paint,
    ),
    // Last, since that is what is left on a small screen.
    section("From nothing to a change that you have reviewed", columns(MAIN_JOB), paint),
    "agents <noun> --help and agents <noun> <verb> --help say more.",
  ].join("\n");
}

const MAIN_JOB: readonly Pair[] = [
  ["agents init", "makes the folder that you are in a project"],
  ["agents action add fix-tests.yaml", "what they are to do"],
  ["agents plan use local/fix-tests", "a plan of it; says its ID"],
  ["agents plan execute ID", "lets it work on a copy, and shows it"],
  ["agents plan diff ID", "what it would change"],
  ["agents plan apply ID", "changes it, after a yes"],
];

function nounHelp(words: readonly string[], rows: readonly CommandRow[], paint: Paint): string {
  const noun = words.join(" ");
  const spelt = (row: CommandRow) =>
    (pathsOf(row).find((path) => startsWith(path, words)) ?? row.path).join(" ");
  return [
    `${paint.bold("Usage:")} agents ${noun} <verb> [flags]`,
    "",
    section(
      "Examples",
      rows.slice(0, 3).flatMap((row) => row.examples.slice(0, 1).map(({ command }) => command)),
      paint,
    ),
    section("Commands", columns(rows.map((row) => [spelt(row), row.summary])), paint),
    `agents ${noun} <verb> --help says more about a command; agents help flags lists the flags of all.`,
  ].join("\n");
}

function commandHelp(row: CommandRow, paint: Paint): string {
  const aliases = (row.aliases ?? []).map((path) => `agents ${path.join(" ")}`);
  return [
    row.summary,
    "",
    `${paint.bold("Usage:")} ${usageLine(row)}`,
    ...(aliases.length === 0 ? [] : [`${paint.bold("Also:")}  ${aliases.join(", ")}`]),
    "",
    section(
      "Examples",
      row.examples.map(({ command, comment }) =>
        comment === undefined ? command : `${command}   # ${comment}`,
      ),
      paint,
    ),
    ...(row.details === undefined ? [] : [row.details, ""]),
    ...(row.positionals === undefined
      ? []
      : [section("Arguments", columns(row.positionals.map(({ name, summary }) => [name, summary])), paint)]),
    ...(row.flags === undefined ? [] : [section("Flags", flagLines(row.flags), paint)]),
    ...(row.seeAlso === undefined
      ? []
      : [`See also: ${row.seeAlso.map((path) => `agents ${path}`).join(", ")}`]),
    "Flags of every command, such as -o json and --server: agents help flags",
  ].join("\n");
}

function section(title: string, lines: readonly string[], paint: Paint): string {
  return `${paint.bold(`${title}:`)}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}
