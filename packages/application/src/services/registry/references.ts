import { canonicalName, InvalidNameError, type JsonObject, type RegistryKind } from "@cleveragents/domain";
import type { Reference } from "./entry-kind.ts";

/** The name in a field, if there is one. */
export function named(
  document: JsonObject,
  field: string,
  kind: RegistryKind,
  more: Partial<Reference> = {},
): readonly Reference[] {
  const name = document[field];
  return typeof name === "string" ? [{ path: field, kind, name, ...more }] : [];
}

/** The names in a list, or in one member of its items. */
export function listed(
  document: JsonObject,
  field: string,
  kind: RegistryKind,
  more: Partial<Reference> & { readonly member?: string } = {},
): readonly Reference[] {
  const list = document[field];
  if (!Array.isArray(list)) return [];
  const { member, ...rest } = more;
  return list.flatMap((item, i) => {
    const name = member === undefined ? item : (item as JsonObject)[member];
    const path = `${field}.${i}${member === undefined ? "" : `.${member}`}`;
    return typeof name === "string" ? [{ path, kind, name, ...rest }] : [];
  });
}

/** The tools that the steps of a script name. */
export function toolsOfScript(document: JsonObject): readonly Reference[] {
  const steps = (document["script"] as JsonObject | undefined)?.["steps"];
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((step, i) => {
    const { kind, value } = step as { kind?: string; value?: JsonObject };
    const name = kind === "call" ? value?.["tool"] : undefined;
    return typeof name === "string"
      ? [{ path: `script.steps.${i}.call.tool`, kind: "tool" as const, name, unchecked: true as const }]
      : [];
  });
}

/** The full form where it is a name at all; names of tools and types that come with the product stay as they are. */
export function fullName(name: string): string {
  try {
    return canonicalName(name);
  } catch (error) {
    if (error instanceof InvalidNameError) return name;
    throw error;
  }
}
