import type { Page } from "../output/output.ts";
import { age, count, fields } from "../output/words.ts";
import { askText, nextCommands, type PlanStatus } from "./ask-text.ts";
import { changesText } from "./changes-text.ts";
import { childrenText } from "./children-text.ts";
import { paintState, stepLine } from "./step-line.ts";

/** Both blocks of labels are as wide as the longest label, "Waits for". */
const LABEL_WIDTH = 9;

/** A plan as `plan status` tells it, also after execute and watch. */
export function statusText(status: PlanStatus, { paint, now }: Page): string {
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
        ["Made", `${age(status.timing.created, now)} ago`],
        ["Stage", `${status.phase} / ${paintState(status.state, paint)}${attempt}`],
        [
          "Part of",
          status.parent === undefined ? undefined : `${status.parent.plan_id} (as ${status.parent.name})`,
        ],
        ["Line", status.queue === undefined ? undefined : queueText(status.queue)],
        ["Profile", `${status.automation.profile} (from ${status.automation.source})`],
        ["Progress", progress.total_steps === 0 ? undefined : progressText(progress)],
      ],
      LABEL_WIDTH,
    ),
    ...steps,
    ...(status.children === undefined ? [] : [indented(childrenText(status.children, paint))]),
    fields(
      [
        ["Estimate", status.estimate === undefined ? undefined : estimateText(status.estimate)],
        ["Checks", checksText(status, paint)],
        ["Changes", changes === undefined ? undefined : changesText(changes)],
        ["Digest", status.digest],
        ["Confident", status.confidence === undefined ? undefined : confidenceText(status.confidence)],
        ["Budget", status.budget === undefined ? undefined : budgetText(status.budget)],
        ["Sandbox", execution.sandbox === "none" ? undefined : sandboxText(execution)],
        ["Limits", execution.sandbox === "none" ? undefined : execution.limits],
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

function indented(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}

function progressText({ total_steps, completed_steps, current_step }: PlanStatus["progress"]): string {
  return `${completed_steps} of ${count(total_steps, "step")}${current_step === null ? "" : `, now: ${current_step}`}`;
}

function queueText({ position, places }: NonNullable<PlanStatus["queue"]>): string {
  const where = position === undefined ? "waits for a place" : `number ${position} of those that wait`;
  return `${where}; ${count(places, "plan")} at a time`;
}

function estimateText(estimate: NonNullable<PlanStatus["estimate"]>): string {
  const { tool_calls, seconds, risk, based_on, by, unanswered } = estimate;
  const range = ({ min, max }: { min: number; max: number }) => (min === max ? `${min}` : `${min} to ${max}`);
  const parts = [
    `${range(tool_calls)} tool calls`,
    ...(seconds === undefined ? [] : [`${range(seconds)} s of work`]),
    `${risk} risk`,
    `by ${by ?? count(based_on, "earlier plan")}`,
    ...(unanswered === undefined ? [] : [`not asked further: ${unanswered}`]),
  ];
  return parts.join(", ");
}

/** What has a result, and what is still to be looked at; texts that nobody can check stay out of the way. */
function checksText(
  { validations = [], invariants = [], digest, attempt: now }: PlanStatus,
  paint: Page["paint"],
): string | undefined {
  const all = [
    ...validations.map(({ attempt = now, message, ...check }) => {
      // What was found out of an attempt that was taken back says nothing of what is made now.
      const over = digest === undefined && attempt < now;
      const found = over ? { passed: null, message: undefined } : { passed: check.passed, message };
      return { ...check, ...found, name: check.validation };
    }),
    ...invariants.map((invariant) => ({
      ...invariant,
      name: `invariant ${invariant.name ?? invariant.id}`,
      mode: "required" as const,
    })),
  ].filter(({ checkable, passed }) => checkable || passed !== null);
  if (all.length === 0) return undefined;
  return all
    .map(({ name, mode, passed, message, judged_by }) => {
      const so = passed === null ? paint.dim("·") : passed ? paint.green("✓") : paint.red("✗");
      const words = [
        ...(mode === "required" ? [] : ["informational"]),
        ...(judged_by === undefined ? [] : [`judged by ${judged_by}`]),
      ];
      const how = words.length === 0 ? "" : ` (${words.join(", ")})`;
      return `${so} ${name}${how}${message === undefined || passed === true ? "" : `: ${message}`}`;
    })
    .join("\n");
}

function sandboxText({ sandbox, environment, enforcement, tool_calls }: PlanStatus["execution"]): string {
  const isolation = enforcement === undefined ? "" : `, isolation ${enforcement}`;
  const where = environment === undefined ? "" : `, commands in ${environment}`;
  return `${sandbox}${where}${isolation}, ${count(tool_calls, "tool call")}`;
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

function warningsOf({
  enforcement,
  enforcement_reason,
  warnings,
}: PlanStatus["execution"]): readonly string[] {
  return enforcement_reason === undefined
    ? warnings
    : [`isolation ${enforcement}: ${enforcement_reason}`, ...warnings];
}

function errorText({ reason, message, step, output }: NonNullable<PlanStatus["error"]>): string {
  const what = `${message} (${reason}${step === undefined ? "" : `, step ${step}`})`;
  return output === undefined ? what : `${what}\n${output}`;
}
