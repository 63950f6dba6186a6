import type { Command } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { clean } from "../output/clean.ts";
import { followAnswer } from "../session/follow-answer.ts";
import { answerText, outcomeOf, responseOf, saidWords } from "../session/said-words.ts";

export const command: Command = {
  async run(invocation) {
    const { options, output, values } = invocation;
    const stream = values.isSet("stream");
    const params = {
      name: values.positional("NAME"),
      text: await saidWords(invocation, "name"),
      message_id: values.text("message-id"),
      task_id: values.text("task"),
      unsafe: values.isSet("unsafe"),
      wait: !stream && !values.isSet("no-wait"),
    };
    const client = await invocation.client();
    let ran = await client.call("_cleveragents/registry/actor/run", params, { timeoutMs: options.timeoutMs });
    let shown = false;
    if (stream && ran.task !== undefined) {
      const followed = await followAnswer(invocation, ran.task.id);
      ran = { ...ran, task: followed.task, response: responseOf(followed.task) };
      shown = followed.shown && output.format === "text";
    }
    if (!shown)
      await output.result(ran, {
        text: answerText,
        names: ({ task, message_id }) => [task?.id ?? message_id],
      });
    const code = outcomeOf(ran.task);
    if (code === EXIT.WAITING)
      output.note(`It waits for an answer: agents actor run ${clean(params.name)} --task ${ran.task?.id} …`);
    return code;
  },
};
