import { usageError } from "../cli-error.ts";
import { callCommand } from "../command/call-command.ts";
import { clean } from "../output/clean.ts";
import { answerText } from "../plan/answer-text.ts";
import { planIdOf } from "../plan/resolve-plan-id.ts";

/** The question is read first and named in the answer, so that no other one that comes between is answered. */
export const command = callCommand({
  method: "_cleveragents/plan/approve",
  params: async (invocation) => {
    const { values, options, output } = invocation;
    const plan_id = await planIdOf(invocation);
    const client = await invocation.client();
    const { waiting_for } = await client.call(
      "_cleveragents/plan/status",
      { plan_id },
      { timeoutMs: options.timeoutMs },
    );
    const digest = values.text("digest");
    const request = values.text("request") ?? waiting_for?.request_id;
    if (waiting_for?.kind === "apply" && waiting_for.request_id === request && digest === undefined) {
      throw usageError(
        "this plan asks whether its changes may be applied",
        `agents plan diff ${plan_id}, then agents plan apply ${plan_id} (or approve with --digest)`,
      );
    }
    if (waiting_for !== undefined) output.note(`Answering: ${clean(waiting_for.prompt)}`);
    return { plan_id, request_id: request, option: values.text("option"), text: values.text("text"), digest };
  },
  text: answerText,
  names: ({ plan_id }) => [plan_id],
});
