import type { SkillCommand } from "@cleveragents/domain";
import type { MarkdownLine } from "./markdown-sections.ts";

/** Languages of code blocks whose lines are commands. */
const SHELLS: ReadonlySet<string> = new Set(["", "bash", "sh", "shell", "zsh", "console", "shell-session"]);
const INTERPRETERS: ReadonlySet<string> = new Set([
  "bash",
  "sh",
  "python",
  "python3",
  "node",
  "ruby",
  "perl",
]);
const LONGEST_LINE = 1000;

/** A command that runs a script of the skill, as it is written in a line; undefined if it is none, or none without a shell. */
export function skillCommand(text: string): SkillCommand | undefined {
  if (text.length > LONGEST_LINE) return undefined;
  const words = wordsOf(text.trim().replace(/^\$ /, ""));
  if (words === undefined) return undefined;
  const [first, second] = words;
  const interpreter = first !== undefined && INTERPRETERS.has(first) ? first : undefined;
  const script = scriptPath(interpreter === undefined ? first : second);
  if (script === undefined) return undefined;
  return interpreter === undefined
    ? { script, args: words.slice(1) }
    : { script, args: words.slice(2), interpreter };
}

/** Commands that a step says to run: lines of code, lines of their own, and code behind a word such as "run". */
export function commandsIn(lines: readonly MarkdownLine[]): SkillCommand[] {
  const found = joined(lines).flatMap(({ text, code }): SkillCommand[] => {
    const whole = code === undefined || SHELLS.has(code) ? skillCommand(text) : undefined;
    if (whole !== undefined) return [whole];
    return code === undefined ? inlineCommands(text, true) : [];
  });
  return once(found);
}

/** Commands in code in a sentence; `asked`: only those that it says to run. */
export function inlineCommands(text: string, asked: boolean): SkillCommand[] {
  if (text.length > LONGEST_LINE) return [];
  const pieces = text.split("`");
  const found = pieces.flatMap((piece, at): SkillCommand[] => {
    if (at % 2 === 0 || at === pieces.length - 1) return [];
    if (asked && !/\b(?:run|execute|invoke|call|start)\b[^.!?]*$/i.test(pieces[at - 1] as string)) return [];
    const command = skillCommand(piece);
    return command === undefined ? [] : [command];
  });
  return once(found);
}

/** Lines with those that a \ at their end goes on in. */
function joined(lines: readonly MarkdownLine[]): MarkdownLine[] {
  const whole: MarkdownLine[] = [];
  let open = false;
  for (const line of lines) {
    const before = whole.at(-1);
    const text = line.text.trim();
    if (open && before !== undefined && before.code === line.code && before.text.length < LONGEST_LINE)
      whole[whole.length - 1] = { ...before, text: `${before.text.slice(0, -1)} ${text}` };
    else whole.push({ ...line, text });
    open = text.endsWith("\\");
  }
  return whole;
}

function once(commands: readonly SkillCommand[]): SkillCommand[] {
  const seen = new Map(commands.map((command) => [JSON.stringify(command), command]));
  return [...seen.values()];
}

function scriptPath(word: string | undefined): string | undefined {
  const path = word?.replace(/^\.\//, "");
  if (path === undefined || !/^scripts\/[^\0]+$/.test(path)) return undefined;
  return path.split("/").some((part) => part === "" || part === "." || part === "..") ? undefined : path;
}

/** The words of a command line that needs no shell; undefined for every other. */
function wordsOf(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] as string;
    if (char === " " || char === "\t") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === "'" || char === '"') {
      const end = line.indexOf(char, at + 1);
      const quoted = line.slice(at + 1, end);
      if (end < 0 || (char === '"' && /[$`\\]/.test(quoted))) return undefined;
      word = (word ?? "") + quoted;
      at = end;
    } else if (/[|&;<>()$`\\*?[\]{}~#!]/.test(char)) return undefined;
    else word = (word ?? "") + char;
  }
  if (word !== undefined) words.push(word);
  return words;
}
