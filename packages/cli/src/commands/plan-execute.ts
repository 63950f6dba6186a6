import type { Command } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { fields } from "../output/words.ts";
import { followPlan } from "../plan/follow-plan.ts";
import { isWaiting, outcomeOf } from "../plan/outcome.ts";
import { taskIdOf } from "../plan/resolve-plan-id.ts";
import { statusText } from "../plan/status-text.ts";

export const command: Command = {
  async run(invocation) {
    const { options, output, values } = invocation;
    const plan_id = await taskIdOf(invocation);
    const client = await invocation.client();
    const seconds = values.number("max-time");
    const params = {
      plan_id,
      execution_options: seconds === undefined ? undefined : { timeout: Math.ceil(seconds * 1000) },
    };
    const execute = () => client.call("_cleveragents/plan/execute", params, { timeoutMs: options.timeoutMs });
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
    const start = async ({ taskState = "" }: { readonly taskState?: string | undefined }) => {
      const { already, state } = await execute();
      // In the middle of its steps it may wait for an answer that execute does not give.
      wasRunning = already && (state === "running" || state === "queued") && !isWaiting(taskState);
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
