import { callCommand } from "../command/call-command.ts";
import { answerText } from "../plan/answer-text.ts";
import { planIdOf } from "../plan/resolve-plan-id.ts";

export const command = callCommand({
  method: "_cleveragents/plan/reject",
  params: async (invocation) => ({
    plan_id: await planIdOf(invocation),
    request_id: invocation.values.text("request"),
    reason: invocation.values.text("reason"),
  }),
  text: answerText,
  names: ({ plan_id }) => [plan_id],
});
