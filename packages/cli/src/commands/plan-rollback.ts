import type { ResultOf } from "@cleveragents/protocol";
import { usageError } from "../cli-error.ts";
import type { Command } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { count, fields } from "../output/words.ts";
import { planIdOf } from "../plan/resolve-plan-id.ts";

type RolledBack = ResultOf<"_cleveragents/plan/rollback">;

export const command: Command = {
  async run(invocation) {
    const plan_id = await planIdOf(invocation);
    const client = await invocation.client();
    const call = { timeoutMs: invocation.options.timeoutMs };
    const checkpoint = invocation.values.optionalPositional("CHECKPOINT");
    const dryRun = invocation.values.isSet("dry-run");
    const { state } = await client.call("_cleveragents/plan/status", { plan_id }, call);
    if (state === "applied" && (dryRun || checkpoint !== undefined))
      throw usageError(
        "an applied plan is undone whole, by another plan that changes nothing before it is applied",
        `agents plan rollback ${plan_id}; agents plan diff shows what it would change`,
      );
    // Without a checkpoint those that there are are shown: going back gives up work.
    const listed = state !== "applied" && checkpoint === undefined;
    const dry_run = listed || dryRun ? true : undefined;
    const result = await client.call("_cleveragents/plan/rollback", { plan_id, checkpoint, dry_run }, call);
    const names = listed ? (result.checkpoints ?? []).map((each) => each.checkpoint) : [result.plan_id];
    await invocation.output.result(result, {
      text: result.digest === undefined ? checkpointText : rollbackText,
      names: () => names,
    });
    return EXIT.OK;
  },
};

/** A plan that was taken back to a checkpoint, or would be. */
function checkpointText(rolled: RolledBack): string {
  const {
    plan_id,
    rollback_summary,
    changes_reverted,
    impact,
    checkpoints = [],
    dry_run,
    next_steps,
  } = rolled;
  const { checkpoint = "", label = "" } = rollback_summary;
  const irreversible = impact?.tool_calls_after_cp.irreversible ?? 0;
  const all = checkpoints.map((each) => `${each.checkpoint}  ${each.label}`).join("\n");
  return fields([
    ["Plan", plan_id],
    [dry_run === true ? "Would go to" : "Back at", `${checkpoint} (${label})`],
    ["Steps", `${count(impact?.steps_undone ?? 0, "step")} undone`],
    ["Decisions", `${count(impact?.decisions_after_cp.length ?? 0, "decision")} superseded`],
    ["Files", changes_reverted.map(({ file, action }) => `${action}  ${file}`).join("\n")],
    ["For good", irreversible > 0 ? `${count(irreversible, "tool call")} that cannot be undone` : ""],
    ["Warnings", (impact?.warnings ?? []).join("\n")],
    ["Checkpoints", dry_run === true ? all : ""],
    ["Next", dry_run === true ? `agents plan rollback ${plan_id} CHECKPOINT` : next_steps.join("\n")],
  ]);
}

function rollbackText({
  plan_id,
  digest,
  rollback_summary,
  changes_reverted,
  next_steps,
}: RolledBack): string {
  const undone = changes_reverted.map(({ file, action }) => `  ${action}  ${file}`);
  const facts = fields([
    ["Plan", plan_id],
    ["Undoes", rollback_summary.plan],
    ["Files", count(rollback_summary.files_reverted, "file")],
    ["Digest", digest],
    ["So far", "nothing is changed: the undo waits to be applied"],
    ["Next", next_steps.join("\n")],
  ]);
  return [facts, ...undone].join("\n");
}
