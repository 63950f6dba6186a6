import { parseArgs } from "node:util";
import { usageError } from "../cli-error.ts";
import { closest } from "./closest.ts";
import type { CommandRow, FlagSpec } from "./command-row.ts";
import { findCommand, hasNoun, nounsOf, verbsOf } from "./find-command.ts";
import { GLOBAL_FLAGS } from "./global-options.ts";
import { commandLike, flagLike, turnedAround, verbLike } from "./other-words.ts";
import { type GivenFlag, type Value, Values } from "./values.ts";

export type ParsedCommandLine =
  | { readonly kind: "run"; readonly row: CommandRow; readonly values: Values }
  /** Help about the command, the noun or (no words) everything. */
  | { readonly kind: "help"; readonly words: readonly string[]; readonly asked: boolean }
  | { readonly kind: "version" };

type Token = NonNullable<ReturnType<typeof tokenize>[number]>;
type OptionToken = Extract<Token, { kind: "option" }>;

/**
 * Reads a command line against the table. Flags may stand anywhere. Throws a usage error, with the closest match
 * where a word is unknown.
 */
export function parseCommandLine(argv: readonly string[], rows: readonly CommandRow[]): ParsedCommandLine {
  const tokens = tokenize(argv, rows);
  const given = tokens.filter((token) => token.kind === "option");
  const words = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  if (given.some(({ name }) => name === "help")) return { kind: "help", words, asked: true };
  if (given.some(({ name }) => name === "version") || isShortVersion(given, words))
    return { kind: "version" };
  if (words.length === 0) {
    if (given[0] !== undefined) checkFlag(given[0], GLOBAL_FLAGS, "agents");
    return { kind: "help", words: [], asked: true };
  }
  const found = findCommand(words, rows);
  if (found === undefined) return notFound(words, rows);
  const { row, rest } = found;
  const { flags, ordered } = readFlags(given, row);
  const values = new Values(readPositionals(rest, row), flags, readMany(rest, row), ordered);
  return { kind: "run", row, values };
}

/** Flags of all commands are known to the tokenizer, so that the command may stand after them. */
function tokenize(argv: readonly string[], rows: readonly CommandRow[]) {
  const specs: Record<string, FlagSpec> = Object.assign(
    {},
    ...rows.map((row) => row.flags ?? {}),
    GLOBAL_FLAGS,
  );
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { type, short }]) => [
      name,
      {
        type: type === "boolean" ? ("boolean" as const) : ("string" as const),
        ...(short === undefined ? {} : { short }),
      },
    ]),
  );
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

/** The words of a command line, whatever its flags are. */
export function wordsOf(argv: readonly string[], rows: readonly CommandRow[]): readonly string[] {
  return tokenize(argv, rows).flatMap((token) => (token.kind === "positional" ? [token.value] : []));
}

/** `-v` with no command to be more verbose about asks for the version, as the a2a-cli specification has it. */
function isShortVersion(given: readonly OptionToken[], words: readonly string[]): boolean {
  const [only] = given;
  return given.length === 1 && only?.rawName === "-v" && ["", "a2a"].includes(words.join(" "));
}

function notFound(words: readonly string[], rows: readonly CommandRow[]): ParsedCommandLine {
  const [noun = ""] = words;
  if (!hasNoun(noun, rows)) {
    const meant = turnedAround(words, (one) => verbsOf([one], rows)) ?? commandLike(noun);
    throw usageError(
      `unknown command "${noun}"`,
      meant === undefined
        ? (didYouMean(noun, nounsOf(rows), "agents ") ?? "agents --help lists the commands")
        : `did you mean agents ${meant}?`,
    );
  }
  const depth = words.findIndex((_, index) => verbsOf(words.slice(0, index + 1), rows).size === 0);
  const nounWords = depth === -1 ? words : words.slice(0, depth);
  const wrong = words[nounWords.length];
  if (wrong === undefined) return { kind: "help", words: nounWords, asked: false };
  const path = nounWords.join(" ");
  const verbs = verbsOf(nounWords, rows);
  const meant = verbLike(wrong, verbs) ?? closest(wrong, verbs);
  throw usageError(
    `unknown command "${path} ${wrong}"`,
    meant === undefined
      ? `agents ${path} --help lists its commands`
      : `did you mean agents ${path} ${meant}?`,
  );
}

function readFlags(given: readonly OptionToken[], row: CommandRow) {
  // A command may give a flag of all commands a meaning of its own.
  const specs: Record<string, FlagSpec> = { ...GLOBAL_FLAGS, ...row.flags };
  const flags = new Map<string, Value>();
  const ordered: GivenFlag[] = [];
  for (const token of given) {
    const spec = checkFlag(token, specs, `agents ${row.path.join(" ")}`);
    const value = readValue(token, spec);
    ordered.push({ name: token.name, value });
    const before = flags.get(token.name);
    flags.set(
      token.name,
      spec.type === "list" ? [...(Array.isArray(before) ? before : []), String(value)] : value,
    );
  }
  return { flags, ordered };
}

function checkFlag(token: OptionToken, specs: Readonly<Record<string, FlagSpec>>, where: string): FlagSpec {
  const spec = Object.hasOwn(specs, token.name) ? specs[token.name] : undefined;
  if (spec !== undefined) return spec;
  throw usageError(
    `unknown flag ${token.rawName} for "${where}"`,
    flagLike(token.name) === undefined
      ? (didYouMean(token.name, Object.keys(specs), "--") ?? `${where} --help lists its flags`)
      : `did you mean ${flagLike(token.name)}?`,
  );
}

function readValue({ rawName, value, inlineValue }: OptionToken, spec: FlagSpec): string | number | boolean {
  if (spec.type === "boolean") {
    if (value !== undefined) throw usageError(`${rawName} takes no value`);
    return true;
  }
  if (value === undefined) throw usageError(`${rawName} needs a value`);
  if (!inlineValue && value.length > 1 && value.startsWith("-")) {
    throw usageError(
      `${rawName} needs a value`,
      `a value that begins with "-" is written ${rawName}=${value}`,
    );
  }
  checkChoice(rawName, value, spec.choices);
  if (spec.type !== "number") return value;
  if (!/^\d+(\.\d+)?$/.test(value) || Number(value) <= 0)
    throw usageError(`${rawName} is a positive number, not "${value}"`);
  return Number(value);
}

function checkChoice(name: string, value: string, choices: readonly string[] | undefined): void {
  if (choices === undefined || choices.includes(value)) return;
  const near = closest(value, choices);
  throw usageError(
    `${name} is one of ${choices.join(", ")}, not "${value}"`,
    near === undefined ? undefined : `did you mean ${near}?`,
  );
}

function readPositionals(rest: readonly string[], row: CommandRow): ReadonlyMap<string, string> {
  const specs = row.positionals ?? [];
  const usage = `usage: ${usageLine(row)}`;
  const surplus = specs.at(-1)?.many === true ? undefined : rest[specs.length];
  if (surplus !== undefined) throw usageError(`unexpected argument "${surplus}"`, usage);
  const positionals = new Map<string, string>();
  for (const [index, { name, optional, choices }] of specs.entries()) {
    const value = rest[index];
    if (value !== undefined && value !== "") {
      checkChoice(name, value, choices);
      positionals.set(name, value);
    } else if (optional !== true) throw usageError(`${name} is missing`, usage);
  }
  return positionals;
}

function readMany(rest: readonly string[], row: CommandRow): ReadonlyMap<string, readonly string[]> {
  const specs = row.positionals ?? [];
  const last = specs.at(-1);
  return new Map(last?.many === true ? [[last.name, rest.slice(specs.length - 1)]] : []);
}

/** `agents plan use <ACTION> [flags]`. */
export function usageLine(row: CommandRow): string {
  const positionals = (row.positionals ?? []).map(({ name, optional, many }) => {
    const shown = many === true ? `${name}…` : name;
    return optional ? `[${shown}]` : `<${shown}>`;
  });
  const flags = row.flags === undefined ? [] : ["[flags]"];
  return ["agents", ...row.path, ...positionals, ...flags].join(" ");
}

function didYouMean(word: string, candidates: Iterable<string>, prefix: string): string | undefined {
  const near = closest(word, candidates);
  return near === undefined ? undefined : `did you mean ${prefix}${near}?`;
}
