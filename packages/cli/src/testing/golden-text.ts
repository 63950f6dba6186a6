import { unpainted } from "../output/painted.ts";
import type { Case } from "./cases/case.ts";
import type { FakeCliOptions } from "./fake-cli.ts";
import { type CaseChange, type CaseRun, runCase } from "./run-case.ts";
import { Screen } from "./screen.ts";

const terminal = (columns: number, env: Record<string, string> = { NO_COLOR: "1" }): FakeCliOptions => ({
  isTTY: true,
  columns,
  env: { PAGER: "", ...env },
});
/** Where each command is looked at, besides in a pipe. */
const PLACES = [
  ["a terminal of 80 columns", 80, terminal(80)],
  ["a terminal of 200 columns", 200, terminal(200)],
  ["a terminal of 80 columns, in colour", 80, terminal(80, {})],
] as const;
const ESCAPE = /\p{Cc}\[([\d;]*)m/gu;
const MOVES = /\p{Cc}\[\d*[A-HJK]/u;

/** All that a command shows, as one text: in a pipe and on terminals, narrow and wide, with and without colour, full and empty. */
export async function goldenText(given: Case): Promise<string> {
  const shown = new Map<string, string>();
  const parts: string[] = [`$ agents ${given.argv}`];
  const add = async (where: string, change: CaseChange, tell: (run: CaseRun) => string) => {
    const run = await runCase(given, change);
    const text = `exit ${run.code}\n${tell(run)}`;
    const same = shown.get(text);
    parts.push(`=== ${where}`, same === undefined ? text.trimEnd() : `as in ${same}`);
    if (same === undefined) shown.set(text, where);
  };
  const apart = ({ cli }: CaseRun) =>
    `${readable(cli.stdout)}${cli.stderr === "" ? "" : `--- stderr\n${readable(cli.stderr)}`}`;
  await add("a pipe", {}, apart);
  for (const [where, columns, place] of PLACES)
    await add(where, { where: place }, ({ cli }) => readable(onScreen(cli.terminal, columns)));
  const none = emptied(given.result);
  if (none !== undefined) {
    await add("a pipe, empty", { result: none }, apart);
    await add("JSON, empty", { result: none, flags: ["-o", "json"] }, apart);
  }
  return `${parts.join("\n")}\n`;
}

/** What stands there in the end, where something was drawn over. */
function onScreen(text: string, columns: number): string {
  return MOVES.test(text) ? `${new Screen(columns, text).text}\n` : text;
}

/** Colours as ‹31›, and what else would not be seen as a character's number. */
function readable(text: string): string {
  return text
    .replace(ESCAPE, "‹$1›")
    .replace(/[^\P{Cc}\n]/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** A list with nothing in it; undefined for a result that is none. */
export function emptied(result: unknown): object | undefined {
  if (typeof result !== "object" || result === null || !("next_page_token" in result)) return undefined;
  const lists = Object.entries(result).filter(([, value]) => Array.isArray(value));
  return { ...result, ...Object.fromEntries(lists.map(([name]) => [name, []])), total: 0 };
}

/** The words of a text, whatever its lines and colours are. */
export function wordsIn(text: string): string {
  return unpainted(text).replace(/\s+/g, " ").trim();
}
