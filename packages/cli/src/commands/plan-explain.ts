import { callCommand } from "../command/call-command.ts";
import { explanationText } from "../plan/explanation-text.ts";
import { resolveDecision } from "../plan/resolve-decision.ts";
import { planIdOf } from "../plan/resolve-plan-id.ts";

export const command = callCommand({
  method: "_cleveragents/plan/explain",
  params: async (invocation) => {
    const plan_id = await planIdOf(invocation);
    const named = invocation.values.optionalPositional("DECISION");
    const decision_id =
      named === undefined
        ? undefined
        : await resolveDecision(await invocation.client(), plan_id, named, invocation.options.timeoutMs);
    return { plan_id, decision_id };
  },
  text: explanationText,
  names: ({ decision_id }) => [decision_id],
});
