import type { z } from "zod";
import { nearestName } from "./nearest-name.ts";
import { listed, TYPE_WORDS } from "./schema-shape.ts";

const MAX_SHOWN = 40;

/** zod's error map: says what was expected and what is there, unless the schema has words of its own. */
export function issueWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return expectedFound(TYPE_WORDS[issue.expected] ?? issue.expected, issue.input);
    case "invalid_value": {
      const expected = listed(issue.values.map((value) => JSON.stringify(value)));
      const known = issue.values.filter((value) => typeof value === "string");
      const near = typeof issue.input === "string" ? nearestName(issue.input, known) : undefined;
      return `${expectedFound(expected, issue.input)}${near === undefined || known.length < 2 ? "" : `; did you mean ${JSON.stringify(near)}?`}`;
    }
    case "too_small":
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive ?? true);
    case "too_big":
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive ?? true);
    case "invalid_format":
      return issue.pattern === undefined
        ? `is not a valid ${issue.format}`
        : `has the wrong form: it must match ${issue.pattern}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    default:
      return undefined;
  }
}

export function expectedFound(expected: string, found: unknown): string {
  if (found === undefined) return `is missing; expected ${expected}`;
  if (found === null) return `has no value; expected ${expected}`;
  return `expected ${expected}, found ${shown(found)}`;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  if (typeof value !== "string") return `${typeof value === "number" ? "the number " : ""}${String(value)}`;
  if (value === "") return "empty text";
  const [line = ""] = value.split("\n", 1);
  const short = Array.from(line).slice(0, MAX_SHOWN).join("");
  return `the text ${JSON.stringify(short === value ? value : `${short}…`)}`;
}

function tooSmall(origin: string, minimum: number, inclusive: boolean): string {
  if (origin === "string")
    return minimum === 1 ? "must not be empty" : `needs at least ${minimum} characters`;
  if (origin === "array" || origin === "set")
    return `needs at least ${minimum === 1 ? "one entry" : `${minimum} entries`}`;
  return inclusive ? `must be at least ${minimum}` : `must be more than ${minimum}`;
}

function tooBig(origin: string, maximum: number, inclusive: boolean): string {
  if (origin === "string") return `can have at most ${maximum} characters`;
  if (origin === "array" || origin === "set")
    return `can have at most ${maximum === 1 ? "one entry" : `${maximum} entries`}`;
  return inclusive ? `must be at most ${maximum}` : `must be less than ${maximum}`;
}
