import type { z } from "zod";
import { KEY } from "./document-value.ts";
import { expectedFound } from "./issue-words.ts";
import { nearestName } from "./nearest-name.ts";
import type { ProblemList, ProblemPath } from "./problem-list.ts";
import { describeExpected, knownKeys } from "./schema-shape.ts";

/** What is the matter in a value, said at the place of the document that it came from. */
export function reportIssues(
  issues: readonly z.core.$ZodIssue[],
  {
    schema,
    value,
    problems,
    isBroken,
  }: {
    readonly schema: z.core.$ZodType;
    readonly value: unknown;
    readonly problems: ProblemList;
    readonly isBroken: (path: ProblemPath) => boolean;
  },
): void {
  const report = (issue: z.core.$ZodIssue, above: ProblemPath): void => {
    const path = [...above, ...issue.path];
    if (isBroken(path)) return;
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys)
        problems.add(
          [...path, key],
          unknownKey(key, knownKeys(schema, path)),
          problems.offsetOf([...path, key, KEY]),
        );
    } else if (issue.code === "invalid_union") {
      const meant = branchOfItsKind(issue.errors);
      if (meant === undefined)
        problems.add(path, expectedFound(describeExpected(schema, path), valueAt(value, path)));
      else for (const inner of meant) report(inner, path);
    } else if (issue.code === "invalid_key" || issue.code === "invalid_element") {
      for (const inner of issue.issues) problems.add(path, inner.message);
    } else {
      problems.add(path, issue.message);
    }
  };
  for (const issue of issues) report(issue, []);
}

/** The alternative whose kind of value it is, wrong only further inside or in its size; that is what was meant. */
function branchOfItsKind(
  branches: readonly (readonly z.core.$ZodIssue[])[],
): readonly z.core.$ZodIssue[] | undefined {
  return branches
    .filter((issues) =>
      issues.every(
        ({ path, code }) => path.length > 0 || (code !== "invalid_type" && code !== "invalid_value"),
      ),
    )
    .sort((a, b) => a.length - b.length)[0];
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearestName(key, known);
  const unknown = `unknown key ${JSON.stringify(key)}`;
  if (near !== undefined) return `${unknown}; did you mean ${JSON.stringify(near)}?`;
  return known.length === 0 ? unknown : `${unknown}; known are ${known.join(", ")}`;
}

function valueAt(value: unknown, path: ProblemPath): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}
