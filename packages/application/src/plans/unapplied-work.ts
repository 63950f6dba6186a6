import type { Plan } from "@cleveragents/domain";
import type { TaskRow } from "../ports/task-store.ts";

/** Whether a plan's sandbox holds work that is nowhere else. When in doubt, it does: a step that was cut off may have written anything. */
export function holdsUnappliedWork(
  { state }: Pick<TaskRow, "state">,
  { sandbox, changeset, steps }: Plan,
): boolean {
  if (state === "completed" || sandbox === undefined || sandbox.disposed === true) return false;
  if (changeset !== undefined) return changeset.summary.files > 0;
  return steps.some(({ status }) => status !== "pending" && status !== "skipped");
}
