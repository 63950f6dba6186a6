import { callCommand } from "../command/call-command.ts";
import { planIdOf } from "../plan/resolve-plan-id.ts";
import { statusText } from "../plan/status-text.ts";

export const command = callCommand({
  method: "_cleveragents/plan/status",
  params: async (invocation) => ({ plan_id: await planIdOf(invocation) }),
  text: statusText,
  names: ({ plan_id }) => [plan_id],
});
