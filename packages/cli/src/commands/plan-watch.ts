import type { Command } from "../command/command.ts";
import { eventLines } from "../plan/event-lines.ts";
import { followAndAnswer } from "../plan/follow-and-answer.ts";
import { outcomeOf } from "../plan/outcome.ts";
import { taskIdOf } from "../plan/resolve-plan-id.ts";
import { statusText } from "../plan/status-text.ts";

export const command: Command = {
  async run(invocation) {
    const { output, values } = invocation;
    const onItem = eventLines(invocation);
    const planId = await taskIdOf(invocation);
    const status = await followAndAnswer(invocation, {
      planId,
      fromStart: true,
      untilDone: values.isSet("until-done"),
      onItem,
    });
    if (onItem === undefined) await output.result(status, { text: statusText, names: () => [planId] });
    else output.line(JSON.stringify(status));
    return outcomeOf(status, { detailed: values.isSet("detailed-exitcode") });
  },
};
