import type { JsonValue } from "@cleveragents/domain";
import { evaluate, type ScriptScope } from "./expression.ts";

const TEMPLATE = /\{\{([\s\S]*?)\}\}/g;

/**
 * Fills `{{ expression }}` in every string of a value. A string that is one template and nothing else becomes the
 * expression's own value; elsewhere strings are put in as they are and other values as JSON.
 */
export function fill(value: JsonValue, scope: ScriptScope): JsonValue {
  return fillWith(value, (expression) => evaluate(expression, scope));
}

/** The same for expressions that see something else. */
export function fillWith(value: JsonValue, evaluated: (expression: string) => JsonValue): JsonValue {
  if (typeof value === "string") return fillText(value, evaluated);
  if (Array.isArray(value)) return value.map((item) => fillWith(item, evaluated));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, fillWith(member, evaluated)]),
    );
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

export interface PlacedExpression {
  /** Where in the value, as in `env.PORT`; empty for the value itself. */
  readonly path: string;
  readonly expression: string;
}

/** The same, each with its place in the value. */
export function placedExpressionsOf(value: JsonValue, path = ""): PlacedExpression[] {
  if (typeof value !== "object" || value === null)
    return expressionsOf(value).map((expression) => ({ path, expression }));
  return Object.entries(value).flatMap(([key, member]) =>
    placedExpressionsOf(member, path === "" ? key : `${path}.${key}`),
  );
}

function fillText(text: string, evaluated: (expression: string) => JsonValue): JsonValue {
  const whole = /^\{\{([\s\S]*?)\}\}$/.exec(text.trim());
  if (whole !== null && !(whole[1] as string).includes("{{") && !(whole[1] as string).includes("}}")) {
    return evaluated((whole[1] as string).trim());
  }
  return text.replace(TEMPLATE, (_, expression: string) => {
    const value = evaluated(expression.trim());
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}
