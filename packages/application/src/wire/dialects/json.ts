import { ProtocolError } from "@cleveragents/protocol";

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** ProtoJSON and its elders write null for what is absent. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** Without the members that are undefined, so that nothing absent is written. */
export function present(members: Json): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Each element mapped; what is no array is left for the schema to refuse. */
export function each(value: unknown, map: (element: unknown, index: number) => unknown): unknown {
  return Array.isArray(value) ? value.map(map) : value;
}

/** An object mapped; what is none is left for the schema to refuse. */
export function inside(value: unknown, map: (object: Json) => unknown): unknown {
  return isObject(value) ? map(value) : value;
}

/** What has no meaning in the dialect that it is written in. */
export function misspelt(field: string, description: string): ProtocolError {
  return new ProtocolError("InvalidParams", {
    message: `Invalid parameters: ${field}: ${description}`,
    violations: [{ field, description }],
  });
}

/** The value that a word stands for; the refusal lists the words. */
export function wordOf(words: Readonly<Record<string, string>>, value: unknown, field: string): unknown {
  if (isAbsent(value)) return value;
  if (typeof value === "string" && Object.hasOwn(words, value)) return words[value];
  throw misspelt(field, `must be one of ${Object.keys(words).join(", ")}`);
}

export function inverse<K extends string, V extends string>(words: Readonly<Record<K, V>>): Record<V, K> {
  return Object.fromEntries(Object.entries(words).map(([key, value]) => [value, key])) as Record<V, K>;
}
