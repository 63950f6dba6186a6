import type { JsonObject, JsonValue } from "../task/message.ts";

/** A copy of a document in which the text at a place (`tools.2`) is another; a place that is not there changes nothing. */
export function withTextAt(document: JsonObject, path: string, text: string): JsonObject {
  return put(document, path.split("."), text) as JsonObject;
}

function put(value: JsonValue | undefined, [key, ...rest]: readonly string[], text: string): JsonValue {
  if (key === undefined) return text;
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === key ? put(item, rest, text) : item));
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return value ?? null;
  return { ...value, [key]: put(value[key], rest, text) };
}
