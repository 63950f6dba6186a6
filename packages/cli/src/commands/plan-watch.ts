import type { Command } from "../command/command.ts";
import { followPlan } from "../plan/follow-plan.ts";
import { outcomeOf } from "../plan/outcome.ts";
import { taskIdOf } from "../plan/resolve-plan-id.ts";
import { statusText } from "../plan/status-text.ts";

export const command: Command = {
  async run(invocation) {
    const { output, values } = invocation;
    const planId = await taskIdOf(invocation);
    const status = await followPlan(invocation, {
      planId,
      fromStart: true,
      untilDone: values.isSet("until-done"),
    });
    await output.result(status, { text: statusText, names: () => [planId] });
    return outcomeOf(status, { detailed: values.isSet("detailed-exitcode") });
  },
};
