import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { PlanStatus } from "./ask-text.ts";
import { waitingChildren } from "./children-text.ts";

/** The exit code for where a plan has stopped. Waiting to be applied is success; any other answer is still owed. */
export function outcomeOf(
  { task_state, waiting_for, error, changes, children }: PlanStatus,
  { detailed }: { readonly detailed: boolean },
): ExitCode {
  const success = detailed && changes !== undefined && changes.files > 0 ? EXIT.CHANGES : EXIT.OK;
  switch (task_state) {
    case "TASK_STATE_COMPLETED":
      return success;
    case "TASK_STATE_FAILED":
    case "TASK_STATE_CANCELED":
    case "TASK_STATE_REJECTED":
      return error?.reason === "BUDGET_EXCEEDED" ? EXIT.BUDGET : EXIT.PLAN_FAILED;
    case "TASK_STATE_INPUT_REQUIRED":
      if (error?.reason === "BUDGET_EXCEEDED") return EXIT.BUDGET;
      return waiting_for?.kind === "apply" ? success : EXIT.WAITING;
    case "TASK_STATE_AUTH_REQUIRED":
      return EXIT.WAITING;
    default:
      return waitingChildren({ children }).length > 0 ? EXIT.WAITING : EXIT.OK;
  }
}

const TERMINAL: ReadonlySet<string> = new Set([
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
]);

export function isTerminal(taskState: string): boolean {
  return TERMINAL.has(taskState);
}

/** Whether the plan waits for a person. */
export function isWaiting(taskState: string): boolean {
  return taskState === "TASK_STATE_INPUT_REQUIRED" || taskState === "TASK_STATE_AUTH_REQUIRED";
}
