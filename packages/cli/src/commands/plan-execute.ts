import type { Command } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { fields } from "../output/words.ts";
import type { PlanStatus } from "../plan/ask-text.ts";
import { eventLines } from "../plan/event-lines.ts";
import { followAndAnswer } from "../plan/follow-and-answer.ts";
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
    const onItem = eventLines(invocation);
    const request = { planId: plan_id, start, onItem };
    // Still planning when it was told to go on, it asks for that only later: the answer is known.
    const asksAgain = ({ waiting_for }: PlanStatus) => wasRunning && waiting_for?.kind === "start";
    let status = await followAndAnswer(invocation, { ...request, isKnown: asksAgain });
    if (asksAgain(status)) status = await followAndAnswer(invocation, request);
    if (onItem === undefined) await output.result(status, { text: statusText, names: () => [plan_id] });
    else output.line(JSON.stringify(status));
    return outcomeOf(status, { detailed: values.isSet("detailed-exitcode") });
  },
};
