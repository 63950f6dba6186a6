import {
  type Changeset,
  type CheckResult,
  type JsonObject,
  type JsonValue,
  type Plan,
  type Probe,
  pathsAgainst,
} from "@cleveragents/domain";
import { changesIn, evaluateCheck } from "../script/check-expression.ts";
import { ExpressionError } from "../script/expression.ts";
import { compact } from "../wire/message.ts";
import { scopeOf } from "./decision-context.ts";

/** What a check has come to, before it is known how long it took. */
export type Verdict = Pick<CheckResult, "passed" | "message" | "data">;

/** Paths that are named where many are against a rule. */
const NAMED = 10;

/** What a probe says of a changeset that needs no tool for it; undefined where it does. */
export function judge(probe: Probe, plan: Plan, changeset: Pick<Changeset, "files">): Verdict | undefined {
  if (probe.kind === "paths") {
    const against = pathsAgainst(probe.paths, changesIn(changeset).paths);
    if (against.length === 0) return { passed: true, message: "only paths that may change" };
    const more = against.length > NAMED ? ", …" : "";
    const message = `may not change: ${against.slice(0, NAMED).join(", ")}${more}`;
    return { passed: false, message, data: { paths: [...against.slice(0, 200)] } };
  }
  if (probe.kind !== "check") return undefined;
  return verdictOf(probe.check, plan, changeset, null);
}

/** What a tool's answer means. Without `transform` the answer itself says `passed`, else its success is one. */
export function judgeAnswer(
  probe: Extract<Probe, { kind: "tool" }>,
  plan: Plan,
  changeset: Pick<Changeset, "files">,
  answer: JsonObject,
  summary: string,
): Verdict {
  if (probe.transform !== undefined) return verdictOf(probe.transform, plan, changeset, answer);
  if (typeof answer["passed"] === "boolean") return fromMap(answer);
  return { passed: true, message: summary };
}

function verdictOf(
  expression: string,
  plan: Plan,
  changeset: Pick<Changeset, "files">,
  output: JsonValue,
): Verdict {
  const { args, decisions, attempt } = scopeOf(plan);
  try {
    const value = evaluateCheck(expression, { ...changesIn(changeset), args, decisions, attempt, output });
    if (typeof value === "boolean")
      return { passed: value, message: value ? "holds" : `does not hold: ${expression}` };
    if (typeof value === "object" && value !== null && !Array.isArray(value) && "passed" in value)
      return fromMap(value);
    return { passed: false, message: `${expression} is neither true nor false: ${JSON.stringify(value)}` };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { passed: false, message: error.message };
  }
}

function fromMap(value: JsonObject): Verdict {
  const passed = value["passed"] === true;
  const message =
    typeof value["message"] === "string" ? value["message"] : passed ? "holds" : "does not hold";
  return { passed, message, ...compact({ data: value["data"] }) };
}
