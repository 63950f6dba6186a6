import type { ShellWord } from "./shell-script.ts";

/** `maybe`: only the running shell knows the words. */
export type Match = "yes" | "no" | "maybe";

/**
 * Whether a command is one that a rule forbids or asks about. Generous: the program is meant wherever it lies, the
 * other words may stand anywhere behind it in this order, and letters of short options in any grouping.
 */
export function isMeantBy(rule: string, words: readonly ShellWord[]): Match {
  const [program = "", ...rest] = rule.split(" ");
  const name = words[0]?.value;
  if (name === undefined) return words.length === 0 ? "no" : "maybe";
  // Some file systems do not tell RM from rm.
  const meant = program.toLowerCase();
  if (!like(meant, name.toLowerCase()) && !like(meant, baseName(name.toLowerCase()))) return "no";
  const args = words.slice(1);
  const missing = rest.filter((word) => word !== "*");
  let from = 0;
  for (const word of missing) {
    if (/^-[A-Za-z]{1,}$/.test(word) && hasLetters(args, word.slice(1))) continue;
    const at = args.findIndex((arg, i) => i >= from && arg.value !== undefined && like(word, arg.value));
    if (at < 0) return args.some((arg) => arg.value === undefined) ? "maybe" : "no";
    from = at + 1;
  }
  return "yes";
}

/**
 * Whether a command is exactly what a rule allows, word by word; a `*` at the end stands for any further words. What
 * only the running shell knows fits nothing. `covered`: how many words the rule names, which is what it vouches for.
 */
export function allows(rule: string, words: readonly ShellWord[]): { readonly covered: number } | undefined {
  const parts = rule.split(" ");
  const open = parts.at(-1) === "*";
  const named = open ? parts.slice(0, -1) : parts;
  if (words.length < named.length || (!open && words.length !== named.length)) return undefined;
  if (words.some(({ value }) => value === undefined)) return undefined;
  const fits = named.every((part, i) => like(part, words[i]?.value ?? ""));
  return fits ? { covered: named.length } : undefined;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A word of a rule against one of a command; `*` stands for any letters. */
export function like(pattern: string, text: string): boolean {
  const source = pattern.split("*").map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${source.join("[^]*")}$`).test(text);
}

function hasLetters(args: readonly ShellWord[], letters: string): boolean {
  const given = args.flatMap(({ value = "" }) => (/^-[A-Za-z]+$/.test(value) ? [...value.slice(1)] : []));
  return [...letters].every((letter) => given.includes(letter));
}
