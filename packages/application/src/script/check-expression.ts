import type { Changeset, JsonObject, JsonValue } from "@cleveragents/domain";
import { Environment } from "@marcbachmann/cel-js";
import { ExpressionError, firstLine, fromCel, toCel } from "./expression.ts";

/** What the check of a validation or an invariant can see. */
export interface CheckScope {
  /** One entry for each file that would change. */
  readonly changes: readonly JsonObject[];
  /** Every path that is touched, old names included. */
  readonly paths: readonly string[];
  readonly args: JsonObject;
  readonly decisions: Readonly<Record<string, string>>;
  readonly attempt: number;
  /** Of a tool that is wrapped: what it has answered. */
  readonly output: JsonValue;
}

const environment = new Environment({ homogeneousAggregateLiterals: false })
  .registerVariable("changes", "list")
  .registerVariable("paths", "list")
  .registerVariable("args", "map")
  .registerVariable("decisions", "map")
  .registerVariable("attempt", "int")
  .registerVariable("output", "dyn");

export function changesIn({ files }: Pick<Changeset, "files">): Pick<CheckScope, "changes" | "paths"> {
  return {
    changes: files.map((file) => ({
      path: file.path,
      previous_path: file.previousPath ?? "",
      op: file.op,
      binary: file.binary,
      insertions: file.insertions,
      deletions: file.deletions,
      mode: file.after?.mode ?? "",
      size: file.after?.size ?? 0,
    })),
    paths: [...new Set(files.flatMap(({ path, previousPath }) => [path, previousPath ?? path]))],
  };
}

/** Evaluates a check. Throws `ExpressionError`. */
export function evaluateCheck(expression: string, scope: CheckScope): JsonValue {
  try {
    const given = toCel(scope as unknown as JsonValue) as unknown as Record<string, unknown>;
    return fromCel(environment.evaluate(expression, given));
  } catch (error) {
    throw new ExpressionError(expression, firstLine(error));
  }
}

/** Whether a check can be read at all; undefined when it can. */
export function checkSyntaxProblem(expression: string): string | undefined {
  try {
    environment.parse(expression);
    return undefined;
  } catch (error) {
    return firstLine(error);
  }
}
