import type { Command } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { clean } from "../output/clean.ts";
import { followAnswer } from "../session/follow-answer.ts";
import { sessionIdOf } from "../session/resolve-session-id.ts";
import { answerText, outcomeOf, responseOf, saidWords } from "../session/said-words.ts";

export const command: Command = {
  async run(invocation) {
    const { options, output, values } = invocation;
    const stream = values.isSet("stream");
    const lines = stream && output.format === "json";
    const wait = !stream && !values.isSet("no-wait");
    const project = values.text("project");
    const params = {
      session_id: await sessionIdOf(invocation),
      text: await saidWords(invocation, "id"),
      message_id: values.text("message-id"),
      task_id: values.text("task"),
      project,
      working_directory: project === undefined ? invocation.context.cwd : undefined,
      wait,
    };
    const client = await invocation.client();
    let told = await client.call("_cleveragents/session/tell", params, { timeoutMs: options.timeoutMs });
    let shown = false;
    if (stream && told.task !== undefined) {
      const followed = await followAnswer(
        invocation,
        told.task.id,
        lines ? (item) => output.line(JSON.stringify(item)) : undefined,
      );
      const { task } = followed;
      told = { ...told, task, response: responseOf(task) };
      shown = followed.shown && output.format === "text";
    }
    if (lines) output.line(JSON.stringify(told));
    else if (!shown)
      await output.result(told, {
        text: answerText,
        names: ({ task, message_id }) => [task?.id ?? message_id],
      });
    const code = outcomeOf(told.task);
    if (code === EXIT.WAITING)
      output.note(
        `It waits for an answer: agents session tell ${clean(params.session_id)} --task ${told.task?.id} …`,
      );
    return code;
  },
};
