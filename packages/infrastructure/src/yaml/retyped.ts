import type { z } from "zod";
import type { InterpolatedPlace } from "./document-value.ts";

/**
 * Where a schema wants the other reading of an interpolated value, text or number, gives it that one: `${VERSION}` may
 * be `2` and text, `${RATIO}` may be `1.0` and a number. Changes the value; true if there was anything to change.
 */
export function retyped(
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
  interpolated: readonly InterpolatedPlace[],
): boolean {
  let changed = false;
  for (const issue of issues) {
    if (issue.code !== "invalid_type") continue;
    const place = interpolated.find(
      ({ path }) => path.length === issue.path.length && path.every((key, i) => key === issue.path[i]),
    );
    const other = place === undefined || place.broken ? undefined : otherReading(place.text, issue.expected);
    if (other !== undefined) {
      assign(value, issue.path, other);
      changed = true;
    }
  }
  return changed;
}

function otherReading(text: string, expected: string): string | number | undefined {
  if (expected === "string") return text;
  return (expected === "number" || expected === "int") && /^[-+]?\d+(\.\d+)?$/.test(text)
    ? Number(text)
    : undefined;
}

function assign(value: unknown, path: readonly PropertyKey[], leaf: string | number): void {
  const last = path.at(-1);
  if (last === undefined) return; // a document that is one interpolated text fits no schema of ours
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)[key], value);
  (parent as Record<PropertyKey, unknown>)[last] = leaf;
}
