import type { JsonObject, JsonValue } from "../task/message.ts";
import type { Action, ActionArgument } from "./action-schema.ts";

export interface ArgumentProblem {
  readonly argument: string;
  readonly problem: string;
}

export class ArgumentsError extends Error {
  override readonly name = "ArgumentsError";
  readonly action: string;
  readonly problems: readonly ArgumentProblem[];
  constructor(action: string, problems: readonly ArgumentProblem[]) {
    super(problems.map((p) => `${p.argument}: ${p.problem}`).join("; "));
    this.action = action;
    this.problems = problems;
  }
}

/**
 * The arguments that an action runs with: given ones, checked and converted from text where the type is another
 * (a command line has only text), defaults for the rest. Throws {@link ArgumentsError} with every problem at once.
 */
export function bindArguments(action: Pick<Action, "name" | "arguments">, given: JsonObject): JsonObject {
  const problems: ArgumentProblem[] = [];
  const bound: JsonObject = {};
  const known = new Set(action.arguments.map((argument) => argument.name));
  for (const name of Object.keys(given)) {
    if (!known.has(name))
      problems.push({
        argument: name,
        problem: `not an argument of this action (${[...known].join(", ") || "it has none"})`,
      });
  }
  for (const argument of action.arguments) {
    const value = Object.hasOwn(given, argument.name) ? given[argument.name] : argument.default;
    if (value === undefined || value === null) {
      if (argument.required) problems.push({ argument: argument.name, problem: "required" });
      else bound[argument.name] = null;
      continue;
    }
    const converted = convert(argument, value);
    if (converted === undefined)
      problems.push({
        argument: argument.name,
        problem: `not ${a(argument.type)}: ${JSON.stringify(value)}`,
      });
    else if (!matches(argument, converted))
      problems.push({ argument: argument.name, problem: `does not match ${argument.validation_pattern}` });
    else bound[argument.name] = converted;
  }
  if (problems.length > 0) throw new ArgumentsError(action.name, problems);
  return bound;
}

function a(type: string): string {
  return type === "integer" ? "an integer" : `a ${type}`;
}

function matches(argument: ActionArgument, value: JsonValue): boolean {
  if (argument.validation_pattern === undefined) return true;
  if (Array.isArray(value)) return value.every((item) => matches(argument, item));
  return typeof value !== "string" || new RegExp(argument.validation_pattern, "u").test(value);
}

function convert({ type }: ActionArgument, value: JsonValue): JsonValue | undefined {
  switch (type) {
    case "string":
      return typeof value === "string"
        ? value
        : typeof value === "number" || typeof value === "boolean"
          ? String(value)
          : undefined;
    case "integer":
    case "number": {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      if (typeof number !== "number" || !Number.isFinite(number)) return undefined;
      return type === "integer" && !Number.isSafeInteger(number) ? undefined : number;
    }
    case "boolean":
      return typeof value === "boolean"
        ? value
        : value === "true"
          ? true
          : value === "false"
            ? false
            : undefined;
    case "list":
      return Array.isArray(value)
        ? value
        : typeof value === "string"
          ? (jsonList(value) ?? value.split(",").map((item) => item.trim()))
          : undefined;
  }
}

/** Items that hold commas are written as JSON. */
function jsonList(text: string): JsonValue[] | undefined {
  if (!text.trimStart().startsWith("[")) return undefined;
  try {
    return JSON.parse(text) as JsonValue[];
  } catch {
    return undefined;
  }
}
