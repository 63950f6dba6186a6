import type { ResultOf } from "@cleveragents/protocol";
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
    const result = await client.call("_cleveragents/plan/rollback", { plan_id }, call);
    await invocation.output.result(result, { text: rollbackText, names: () => [result.plan_id] });
    return EXIT.OK;
  },
};

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
    ["Next", next_steps[1]],
  ]);
  return [facts, ...undone].join("\n");
}
