import { callCommand } from "../command/call-command.ts";
import { count, fields } from "../output/words.ts";
import { planIdOf } from "../plan/resolve-plan-id.ts";

export const command = callCommand({
  method: "_cleveragents/plan/revert",
  params: async (invocation) => ({
    plan_id: await planIdOf(invocation),
    to_phase: invocation.values.text("to-phase") as "strategize" | "execute" | undefined,
    reason: invocation.values.text("reason"),
  }),
  text: ({ plan_id, phase, state, attempt, reversions, reversions_left, next_steps }) =>
    fields([
      ["Plan", plan_id],
      ["Stage", `${phase} / ${state} (attempt ${attempt})`],
      ["Taken back", `${count(reversions, "time")}, ${reversions_left} left`],
      ["Next", next_steps[0]],
    ]),
  names: ({ plan_id }) => [plan_id],
});
