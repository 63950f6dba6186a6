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

function warningsOf({ enforcement_reason, warnings }: PlanStatus["execution"]): readonly string[] {
  return enforcement_reason === undefined ? warnings : [`isolation none: ${enforcement_reason}`, ...warnings];
}

function errorText({ reason, message, step, output }: NonNullable<PlanStatus["error"]>): string {
  const what = `${message} (${reason}${step === undefined ? "" : `, step ${step}`})`;
  return output === undefined ? what : `${what}\n${output}`;
}
