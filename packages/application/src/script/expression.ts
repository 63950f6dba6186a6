import type { JsonObject, JsonValue } from "@cleveragents/domain";
import { Environment } from "@marcbachmann/cel-js";

/** What an expression of a script can see. */
export interface ScriptScope {
  readonly args: JsonObject;
  /** Chosen alternatives by the decision's id. */
  readonly decisions: Readonly<Record<string, string>>;
  /** Results of named steps. */
  readonly results: JsonObject;
  readonly guidance: readonly string[];
  readonly attempt: number;
  /** What is asked of who looks on. */
  readonly advice?: JsonObject;
}

/** An expression that cannot be read or evaluated: a mistake in the script, never in the product. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  readonly expression: string;
  constructor(expression: string, why: string) {
    super(`{{ ${expression} }}: ${why}`);
    this.expression = expression;
  }
}

const environment = new Environment({ homogeneousAggregateLiterals: false })
  .registerVariable("args", "map")
  .registerVariable("decisions", "map")
  .registerVariable("results", "map")
  .registerVariable("guidance", "list")
  .registerVariable("attempt", "int")
  .registerVariable("advice", "map");

/** Evaluates a CEL expression: no side effects, no loops, no way out. Throws {@link ExpressionError}. */
export function evaluate(expression: string, scope: ScriptScope): JsonValue {
  try {
    return fromCel(
      environment.evaluate(expression, toCel(scope as unknown as JsonValue) as Record<string, unknown>),
    );
  } catch (error) {
    throw new ExpressionError(expression, firstLine(error));
  }
}

/** Whether a `when` holds; anything but a boolean is a mistake that is told. */
export function holds(expression: string, scope: ScriptScope): boolean {
  const value = evaluate(expression, scope);
  if (typeof value !== "boolean")
    throw new ExpressionError(expression, `a condition is true or false, this is ${JSON.stringify(value)}`);
  return value;
}

/** Whether an expression can be read at all; undefined when it can. */
export function syntaxProblem(expression: string): string | undefined {
  try {
    environment.parse(expression);
    return undefined;
  } catch (error) {
    return firstLine(error);
  }
}

/** A node of an expression as it was read: an operator and what it is applied to. */
export interface ExpressionNode {
  readonly op: string;
  readonly args: unknown;
}

/** An expression as it was read; undefined for one that cannot be. */
export function nodesOf(expression: string): ExpressionNode | undefined {
  try {
    return environment.parse(expression).ast as ExpressionNode;
  } catch {
    return undefined;
  }
}

/** CEL counts with 64-bit integers: whole JSON numbers go in as BigInt and come back as numbers. */
export function toCel(value: JsonValue): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toCel);
  if (typeof value === "object" && value !== null) {
    return new Map(Object.entries(value).map(([key, member]) => [key, toCel(member)]));
  }
  return value;
}

export function fromCel(value: unknown): JsonValue {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(fromCel);
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, member]) => [String(key), fromCel(member)]));
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fromCel(member)]));
  return String(value);
}

export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
