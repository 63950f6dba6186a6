import type { CommandRow } from "./command-row.ts";

/** The command whose path (or alias) the words begin with, the longest one first, and what is left of the words. */
export function findCommand(
  words: readonly string[],
  rows: readonly CommandRow[],
): { readonly row: CommandRow; readonly rest: readonly string[] } | undefined {
  let found: { row: CommandRow; length: number } | undefined;
  for (const row of rows) {
    for (const path of pathsOf(row)) {
      if (path.length > (found?.length ?? 0) && startsWith(words, path)) found = { row, length: path.length };
    }
  }
  return found === undefined ? undefined : { row: found.row, rest: words.slice(found.length) };
}

export function pathsOf(row: CommandRow): readonly (readonly string[])[] {
  return [row.path, ...(row.aliases ?? [])];
}

export function startsWith(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((word, index) => words[index] === word);
}

export function nounsOf(rows: readonly CommandRow[]): Set<string> {
  return new Set(rows.flatMap((row) => pathsOf(row).map((path) => path[0] as string))); // a path is never empty
}

export function hasNoun(noun: string, rows: readonly CommandRow[]): boolean {
  return nounsOf(rows).has(noun);
}

/** The words that may follow these. */
export function verbsOf(noun: readonly string[], rows: readonly CommandRow[]): Set<string> {
  return new Set(
    rows.flatMap((row) =>
      pathsOf(row).flatMap((path) => {
        const next = path[noun.length];
        return startsWith(path, noun) && next !== undefined ? [next] : [];
      }),
    ),
  );
}

export function commandsUnder(words: readonly string[], rows: readonly CommandRow[]): CommandRow[] {
  return rows.filter((row) => pathsOf(row).some((path) => startsWith(path, words)));
}
