import type { Page } from "../output/output.ts";
import { count, fields } from "../output/words.ts";
import { askText, nextCommands, type PlanStatus } from "./ask-text.ts";
import { changesText } from "./changes-text.ts";
import { paintState, stepLine } from "./step-line.ts";

/** Both blocks of labels are as wide as the longest label, "Waits for". */
const LABEL_WIDTH = 9;

/** A plan as `plan status` tells it, also after execute and watch. */
export function statusText(status: PlanStatus, { paint }: Page): string {
  const { progress, execution, changes, error } = status;
  const attempt = status.attempt > 1 ? ` (attempt ${status.attempt})` : "";
  const steps = status.steps.map((step) => `  ${stepLine(step, paint)}`);
  const next = nextCommands(status);
  return [
    fields(
      [
        ["Plan", status.plan_id],
        ["Action", status.description === "" ? status.action : `${status.action}: ${status.description}`],
        ["Project", status.project],
        ["Stage", `${status.phase} / ${paintState(status.state, paint)}${attempt}`],
        ["Profile", `${status.automation.profile} (from ${status.automation.source})`],
        ["Progress", progress.total_steps === 0 ? undefined : progressText(progress)],
      ],
      LABEL_WIDTH,
    ),
    ...steps,
    fields(
      [
        ["Changes", changes === undefined ? undefined : changesText(changes)],
        ["Digest", status.digest],
        ["Confident", status.confidence === undefined ? undefined : confidenceText(status.confidence)],
        ["Budget", status.budget === undefined ? undefined : budgetText(status.budget)],
        ["Sandbox", execution.sandbox === "none" ? undefined : sandboxText(execution)],
        ["Warnings", warningsOf(execution).join("\n")],
        ["Waits for", status.waiting_for === undefined ? undefined : askText(status.waiting_for)],
        ["Error", error === undefined ? undefined : errorText(error)],
        ["Cancelled", status.cancel_reason],
        ["Next", next.join("\n")],
      ],
      LABEL_WIDTH,
    ),
  ]
    .filter((text) => text !== "")
    .join("\n");
}

function progressText({ total_steps, completed_steps, current_step }: PlanStatus["progress"]): string {
  return `${completed_steps} of ${count(total_steps, "step")}${current_step === null ? "" : `, now: ${current_step}`}`;
}

function sandboxText({ sandbox, enforcement, tool_calls }: PlanStatus["execution"]): string {
  const isolation = enforcement === undefined ? "" : `, isolation ${enforcement}`;
  return `${sandbox}${isolation}, ${count(tool_calls, "tool call")}`;
}

/** Where it decides: a threshold of 0 always goes on, one of 1 always asks. */
function confidenceText({
  value,
  gate,
  threshold,
  passed,
}: NonNullable<PlanStatus["confidence"]>): string | undefined {
  if (threshold <= 0 || threshold >= 1) return undefined;
  return `${value}, ${passed ? "enough" : "not enough"} for ${gate} (${threshold})`;
}

/** Only what is bounded. */
function budgetText({ limits, used }: NonNullable<PlanStatus["budget"]>): string | undefined {
  const kinds = Object.entries(BUDGET_WORDS).flatMap(([kind, words]) => {
    const limit = limits[kind as keyof typeof limits];
    return limit === undefined ? [] : [`${used[kind as keyof typeof used] ?? 0} of ${limit} ${words} used`];
  });
  return kinds.length === 0 ? undefined : kinds.join(", ");
}

const BUDGET_WORDS = { tool_calls: "tool calls", cost_usd: "USD", tokens: "tokens", seconds: "seconds" };

function warningsOf({ enforcement_reason, warnings }: PlanStatus["execution"]): readonly string[] {
  return enforcement_reason === undefined ? warnings : [`isolation none: ${enforcement_reason}`, ...warnings];
}

function errorText({ reason, message, step, output }: NonNullable<PlanStatus["error"]>): string {
  const what = `${message} (${reason}${step === undefined ? "" : `, step ${step}`})`;
  return output === undefined ? what : `${what}\n${output}`;
}
