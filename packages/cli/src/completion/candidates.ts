import type { CommandRow, FlagSpec, PositionalSpec } from "../command/command-row.ts";
import { findCommand, pathsOf, startsWith } from "../command/find-command.ts";
import { GLOBAL_FLAGS } from "../command/global-options.ts";
import { TOPICS } from "../command/help-topics.ts";

export interface Candidate {
  readonly text: string;
  readonly about?: string;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** A file may stand here, which the shell knows better. */
  readonly files: boolean;
  /** What the agent has of this noun may stand here: its ids or names. */
  readonly listed?: readonly string[];
}

/** Placeholders of what another noun lists; those of `ID` and `NAME` are the command's own. */
const NOUNS: Readonly<Record<string, string>> = {
  ACTION: "action",
  PLAN: "plan",
  PROJECT: "project",
  SESSION: "session",
  ACTOR: "actor",
  SKILL: "skill",
};

type FlagEntry = readonly [name: string, spec: FlagSpec];

const NOTHING: Completion = { candidates: [], files: false };
/** What placeholders of values and arguments are called where they are files. */
const FILE_LIKE = /^(FILE|PATH|DIR|DOCUMENT|YAML)$/;

/** What may stand in the place of the last word, which may be empty; the words are those after `agents`. */
export function complete(words: readonly string[], rows: readonly CommandRow[]): Completion {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const { path, open } = readWords(before, rows);
  const flags = flagsAt(path, rows);
  // bash gives `--output=json` as three words.
  if (open !== undefined) {
    const [name, spec] = open;
    const values = valuesOf(spec, current === "=" ? "" : current, "");
    return values.candidates.length > 0 ? values : { ...values, ...listedAs(name.toUpperCase(), [], rows) };
  }
  if (current === "=") return NOTHING;
  const inline = /^--([^=]+)=(.*)$/.exec(current);
  if (inline !== null) {
    const spec = flags.find(([name]) => name === inline[1])?.[1];
    return spec === undefined ? NOTHING : valuesOf(spec, inline[2] ?? "", `--${inline[1]}=`);
  }
  if (current.startsWith("-")) return only(flags.map(flagCandidate), current);
  if (path[0] === "help") return only(helpWords(path.slice(1), rows), current);
  const next = nextWords(path, rows);
  const command = findCommand(path, rows);
  if (command === undefined || next.length > 0) return only(next, current);
  const { positionals = [] } = command.row;
  const spec = positionals[command.rest.length] ?? positionals.at(-1);
  if (spec === undefined || !takesOneMore(positionals, command.rest.length)) return NOTHING;
  const choices = (spec.choices ?? []).map((text) => ({ text }));
  const own = command.row.path.slice(0, -1);
  return { ...only(choices, current), files: FILE_LIKE.test(spec.name), ...listedAs(spec.name, own, rows) };
}

/** The noun whose list has what a placeholder stands for, where there is such a list. */
function listedAs(
  placeholder: string,
  own: readonly string[],
  rows: readonly CommandRow[],
): Pick<Completion, "listed"> {
  const other = Object.hasOwn(NOUNS, placeholder) ? NOUNS[placeholder] : undefined;
  const noun = other === undefined ? (/^(ID|NAME)$/.test(placeholder) ? own : []) : [other];
  const list = findCommand([...noun, "list"], rows);
  return noun.length > 0 && list?.rest.length === 0 ? { listed: noun } : {};
}

/** The words that are no flags, and the flag whose value comes next. */
function readWords(before: readonly string[], rows: readonly CommandRow[]) {
  const path: string[] = [];
  let open: FlagEntry | undefined;
  for (const word of before) {
    if (open !== undefined) {
      if (word !== "=") open = undefined;
    } else if (word.startsWith("-") && word !== "-") {
      const found = word.includes("=") ? undefined : flagOf(word, flagsAt(path, rows));
      open = found?.[1].type === "boolean" ? undefined : found;
    } else path.push(word);
  }
  return { path, open };
}

function flagOf(word: string, flags: readonly FlagEntry[]): FlagEntry | undefined {
  return flags.find(([name, { short }]) => word === `--${name}` || word === `-${short}`);
}

function flagsAt(path: readonly string[], rows: readonly CommandRow[]): readonly FlagEntry[] {
  const row = findCommand(path, rows)?.row;
  return Object.entries<FlagSpec>({ ...row?.flags, ...GLOBAL_FLAGS });
}

function flagCandidate([name, { summary }]: FlagEntry): Candidate {
  return { text: `--${name}`, about: summary };
}

function valuesOf({ choices, value, summary }: FlagSpec, current: string, prefix: string): Completion {
  const candidates = (choices ?? []).map((choice) => ({ text: `${prefix}${choice}`, about: summary }));
  return {
    ...only(candidates, `${prefix}${current}`),
    files: FILE_LIKE.test(value ?? ""),
  };
}

/** The words that paths go on with after these. */
function nextWords(path: readonly string[], rows: readonly CommandRow[]): readonly Candidate[] {
  const found = new Map<string, string | undefined>(path.length === 0 ? [["help", "About a topic."]] : []);
  for (const row of rows)
    for (const spelling of pathsOf(row)) {
      const word = spelling[path.length];
      if (word === undefined || !startsWith(spelling, path)) continue;
      const isWhole = spelling.length === path.length + 1;
      if (isWhole || !found.has(word)) found.set(word, isWhole ? row.summary : undefined);
    }
  return [...found].map(([text, about]) => (about === undefined ? { text } : { text, about }));
}

function helpWords(words: readonly string[], rows: readonly CommandRow[]): readonly Candidate[] {
  const topics = Object.entries(TOPICS).map(([text, { summary }]) => ({ text, about: summary }));
  const commands = nextWords(words, rows).filter(({ text }) => text !== "help");
  return words.length === 0 ? [...commands, ...topics] : commands;
}

function takesOneMore(positionals: readonly PositionalSpec[], given: number): boolean {
  return given < positionals.length || positionals.at(-1)?.many === true;
}

function only(candidates: readonly Candidate[], current: string): Completion {
  return { candidates: candidates.filter(({ text }) => text.startsWith(current)), files: false };
}
