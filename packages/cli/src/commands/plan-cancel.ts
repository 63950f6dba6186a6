import { callCommand } from "../command/call-command.ts";
import { fields } from "../output/words.ts";
import { planIdOf } from "../plan/resolve-plan-id.ts";

export const command = callCommand({
  method: "_cleveragents/plan/cancel",
  params: async (invocation) => ({
    plan_id: await planIdOf(invocation),
    reason: invocation.values.text("reason"),
  }),
  text: ({ plan_id, phase, state, reason, recovery }) =>
    fields([
      ["Plan", plan_id],
      ["Stage", `${phase} / ${state}`],
      ["Reason", reason],
      ["Recovery", recovery.join("\n")],
    ]),
  names: ({ plan_id }) => [plan_id],
});
