import { breakWords } from "../output/break-words.ts";
import type { Paint } from "../output/paint.ts";
import type { CommandRow } from "./command-row.ts";
import { pathsOf } from "./find-command.ts";
import { columns, type Pair } from "./flag-lines.ts";

/** The order in which somebody meets them; what is not named here comes after. */
const FIRST = ["plan", "action", "project", "session", "actor", "tool", "skill", "mcp", "lsp"];
const WIDTH = 78;

/** What there is, on one screen: each noun with its verbs, then the commands that are one word. */
export function commandOverview(rows: readonly CommandRow[]): string[] {
  const verbs = new Map<string, string[]>();
  const alone: Pair[] = [];
  for (const row of rows) {
    const [noun = "", ...rest] = shortest(row);
    if (rest.length === 0) alone.push([noun, row.summary]);
    else verbs.set(noun, [...(verbs.get(noun) ?? []), rest.join(" ")]);
  }
  const nouns = [...verbs].sort(([a], [b]) => placeOf(a) - placeOf(b));
  const width = Math.max(...nouns.map(([noun]) => noun.length), ...alone.map(([word]) => word.length)) + 2;
  return [
    ...nouns.flatMap(([noun, all]) =>
      breakWords(all.join(", "), WIDTH - width).map(
        (line, index) => `${(index === 0 ? noun : "").padEnd(width)}${line}`,
      ),
    ),
    ...alone.map(([word, summary]) => `${word.padEnd(width)}${summary}`),
  ];
}

/** Every command, a line each. */
export function commandList(rows: readonly CommandRow[], paint: Paint): string {
  const lines = columns(rows.map((row): Pair => [shortest(row).join(" "), row.summary]));
  return [paint.bold("Commands"), ...lines.map((line) => `  ${line}`)].join("\n");
}

function placeOf(noun: string): number {
  const place = FIRST.indexOf(noun);
  return place === -1 ? FIRST.length : place;
}

function shortest(row: CommandRow): readonly string[] {
  return [...pathsOf(row)].sort((a, b) => a.length - b.length)[0] ?? row.path;
}
