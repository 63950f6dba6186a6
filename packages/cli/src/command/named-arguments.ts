import { usageError } from "../cli-error.ts";

/** `K=V`, each name once. */
export function namedArguments(given: readonly string[], flag: string): Record<string, string> {
  const named = new Map<string, string>();
  for (const word of given) {
    const at = word.indexOf("=");
    if (at <= 0) throw usageError(`${flag} is written name=value, not "${word}"`);
    named.set(word.slice(0, at), word.slice(at + 1));
  }
  return Object.fromEntries(named);
}
