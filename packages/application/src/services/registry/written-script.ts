import type { JsonObject, JsonValue } from "@cleveragents/domain";

/** A document whose script is written as people write it: a step is `{ <kind>: … }`. */
export function writtenScript(document: JsonObject): JsonObject {
  const script = document["script"];
  if (!isObject(script)) return document;
  const { steps, ...rest } = script;
  const written = Array.isArray(steps)
    ? steps.map((step) => (isObject(step) ? writtenStep(step) : step))
    : [];
  return { ...document, script: { ...rest, steps: written } };
}

function writtenStep({ kind, value, ...frame }: JsonObject): JsonObject {
  return typeof kind === "string" && value !== undefined ? { [kind]: value, ...frame } : { ...frame };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
