import type { ResultOf } from "@cleveragents/protocol";
import { count, fields } from "../output/words.ts";

export type Corrected = ResultOf<"_cleveragents/plan/correct">;
const LISTED = 20;

/** What a correction has undone, or would undo. */
export function correctionText(corrected: Corrected): string {
  return corrected.correction.mode === "append" ? appendedText(corrected) : revertedText(corrected);
}

function appendedText({ plan_id, dry_run, correction, append_detail, queued }: Corrected): string {
  return fields([
    ["Plan", plan_id],
    ["Decision", correction.new_decision],
    [dry_run ? "Would add" : "Added", append_detail?.additional_work],
    ["Work", queued?.new_child ?? (dry_run ? undefined : "a subplan, when its turn comes")],
    ["Undone", "nothing"],
    ["Attempt", String(correction.attempt)],
    [
      "Next",
      dry_run
        ? ""
        : `agents plan watch ${correction.new_decision === undefined ? (queued?.new_child ?? plan_id) : plan_id}`,
    ],
  ]);
}

function revertedText(corrected: Corrected): string {
  const { plan_id, dry_run, correction, affected_subtree, sandbox_rollback, tool_calls, warnings } =
    corrected;
  const { decisions_invalidated, steps_undone, unaffected_decisions } = affected_subtree;
  const { files_reverted, checkpoint, status } = sandbox_rollback;
  const files = files_reverted?.slice(0, LISTED).map(({ file, action }) => `${action}  ${file}`) ?? [];
  const rest = (files_reverted?.length ?? 0) - files.length;
  return fields([
    ["Plan", plan_id],
    ["Decision", correction.new_decision],
    [dry_run ? "Would undo" : "Undone", decisions_invalidated.map(decisionText).join("\n") || "no decision"],
    ["Keeps", count(unaffected_decisions.length, "decision")],
    [
      "Steps",
      `${count(steps_undone, "step")}; back to ${checkpoint}${status === "queued" ? " (queued)" : ""}`,
    ],
    ["Files", [...files, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n")],
    [
      "For good",
      tool_calls.irreversible > 0
        ? `${count(tool_calls.irreversible, "tool call")} that cannot be undone`
        : "",
    ],
    ["Warnings", warnings.join("\n")],
    ["Attempt", String(correction.attempt)],
    ["Next", dry_run ? "" : `agents plan watch ${plan_id}`],
  ]);
}

function decisionText({
  question,
  chosen,
}: Corrected["affected_subtree"]["decisions_invalidated"][number]): string {
  return `${question} -> ${chosen}`;
}
