import type { RegistryKind } from "@cleveragents/domain";
import type { Reference } from "./entry-kind.ts";

/** The names on a circle that leads from an entry back to it; undefined where there is none. */
export function circleThrough(
  name: string,
  kind: RegistryKind,
  referencesOf: (name: string) => readonly Reference[],
): { readonly names: readonly string[]; readonly first: Reference } | undefined {
  const seen = new Set<string>();
  const follow = (at: string, way: readonly string[]): readonly string[] | undefined => {
    for (const reference of referencesOf(at)) {
      if (reference.acyclic !== true || reference.kind !== kind) continue;
      if (reference.name === name) return [...way, name];
      if (seen.has(reference.name)) continue;
      seen.add(reference.name);
      const found = follow(reference.name, [...way, reference.name]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const names = follow(name, [name]);
  if (names === undefined) return undefined;
  const first = referencesOf(name).find((reference) => reference.acyclic && reference.name === names[1]);
  return first && { names, first };
}
