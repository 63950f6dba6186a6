import { usageError } from "../cli-error.ts";

/** `k=v` entries as an object; a name that is given again makes a list. The server converts text to the types. */
export function readArguments(entries: readonly string[]): Record<string, string | string[]> | undefined {
  if (entries.length === 0) return undefined;
  const given = new Map<string, string[]>();
  for (const entry of entries) {
    const at = entry.indexOf("=");
    if (at < 1) throw usageError(`--arg is written name=value, not "${entry}"`);
    const name = entry.slice(0, at);
    given.set(name, [...(given.get(name) ?? []), entry.slice(at + 1)]);
  }
  return Object.fromEntries([...given].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? "") : all]));
}
