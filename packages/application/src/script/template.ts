import type { JsonValue } from "@cleveragents/domain";
import { evaluate, type ScriptScope } from "./expression.ts";

const TEMPLATE = /\{\{([\s\S]*?)\}\}/g;

/**
 * Fills `{{ expression }}` in every string of a value. A string that is one template and nothing else becomes the
 * expression's own value; elsewhere strings are put in as they are and other values as JSON.
 */
export function fill(value: JsonValue, scope: ScriptScope): JsonValue {
  if (typeof value === "string") return fillText(value, scope);
  if (Array.isArray(value)) return value.map((item) => fill(item, scope));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fill(member, scope)]));
  }
  return value;
}

/** The expressions of every template in a value, in order. */
export function expressionsOf(value: JsonValue): string[] {
  if (typeof value === "string")
    return [...value.matchAll(TEMPLATE)].map((match) => (match[1] as string).trim());
  if (Array.isArray(value)) return value.flatMap(expressionsOf);
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(expressionsOf);
  return [];
}

function fillText(text: string, scope: ScriptScope): JsonValue {
  const whole = /^\{\{([\s\S]*?)\}\}$/.exec(text.trim());
  if (whole !== null && !(whole[1] as string).includes("{{") && !(whole[1] as string).includes("}}")) {
    return evaluate((whole[1] as string).trim(), scope);
  }
  return text.replace(TEMPLATE, (_, expression: string) => {
    const value = evaluate(expression.trim(), scope);
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}
