import { type FieldViolation, ProtocolError } from "@cleveragents/protocol";
import type { z } from "zod";

/**
 * What is wrong with parameters, field by field, in words that do not depend on the library that checks them. `spell`
 * is how the caller writes a field.
 */
export function paramsError(
  error: z.ZodError,
  spell: (field: string) => string = (field) => field,
): ProtocolError {
  const violations = error.issues.map(violationOf).map(({ field, description }) => ({
    field: spell(field),
    description,
  }));
  const [first] = violations;
  const message =
    first === undefined
      ? undefined
      : `Invalid parameters: ${first.field === "" ? "" : `${first.field}: `}${first.description}`;
  return new ProtocolError("InvalidParams", { violations, ...(message === undefined ? {} : { message }) });
}

function violationOf(issue: z.core.$ZodIssue): FieldViolation {
  const inner = innermost(issue);
  return { field: [...issue.path, ...inner.path].join("."), description: describe(inner.issue) };
}

/** A union fails with the issues of all its branches; the one that got furthest is the one to tell. */
function innermost(issue: z.core.$ZodIssue): { issue: z.core.$ZodIssue; path: PropertyKey[] } {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return { issue, path: [] };
  const [best] = issue.errors.flat().sort((a, b) => b.path.length - a.path.length);
  if (best === undefined) return { issue, path: [] };
  const below = innermost(best);
  return { issue: below.issue, path: [...best.path, ...below.path] };
}

function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? `required; must be ${article(issue.expected)}`
        : `must be ${article(issue.expected)}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "too_small":
      return issue.message.startsWith("Too small")
        ? bound(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)
        : issue.message;
    case "too_big":
      return issue.message.startsWith("Too big")
        ? bound(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum)
        : issue.message;
    case "unrecognized_keys":
      return `unknown: ${issue.keys.join(", ")}`;
    case "invalid_format":
      return issue.message.startsWith("Invalid") ? `must be a valid ${issue.format}` : issue.message;
    default:
      return issue.message;
  }
}

function bound(origin: string, word: string, limit: number | bigint): string {
  if (origin === "string") return `must have ${word} ${limit} characters`;
  if (origin === "array" || origin === "set" || origin === "map")
    return `must have ${word} ${limit} elements`;
  return `must be ${word} ${limit}`;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
