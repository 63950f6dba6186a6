import type { Command } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { fields } from "../output/words.ts";
import { followPlan } from "../plan/follow-plan.ts";
import { outcomeOf } from "../plan/outcome.ts";
import { planIdOf } from "../plan/resolve-plan-id.ts";
import { statusText } from "../plan/status-text.ts";

export const command: Command = {
  async run(invocation) {
    const { options, output, values } = invocation;
    const plan_id = await planIdOf(invocation);
    const client = await invocation.client();
    const execute = () =>
      client.call("_cleveragents/plan/execute", { plan_id }, { timeoutMs: options.timeoutMs });
    if (values.isSet("no-wait")) {
      await output.result(await execute(), {
        text: ({ phase, state }) =>
          fields([
            ["Plan", plan_id],
            ["Stage", `${phase} / ${state}`],
            ["Next", `agents plan watch ${plan_id}`],
          ]),
        names: () => [plan_id],
      });
      return EXIT.OK;
    }
    let wasRunning = false;
    const start = async () => {
      const { already, state } = await execute();
      wasRunning = already && (state === "running" || state === "queued");
      return !already || wasRunning;
    };
    let status = await followPlan(invocation, { planId: plan_id, start });
    // It was still planning when it was told to go on, and asks for that only now: the answer is known.
    if (wasRunning && status.waiting_for?.kind === "start") {
      status = await followPlan(invocation, { planId: plan_id, start });
    }
    await output.result(status, { text: statusText, names: () => [plan_id] });
    return outcomeOf(status, { detailed: values.isSet("detailed-exitcode") });
  },
};
