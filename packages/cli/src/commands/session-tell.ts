import type { ResultOf } from "@cleveragents/protocol";
import { CliError, usageError } from "../cli-error.ts";
import type { Command, Invocation } from "../command/command.ts";
import { readDocument } from "../command/document.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { clean } from "../output/clean.ts";
import { partsText } from "../output/said-text.ts";
import { followAnswer } from "../session/follow-answer.ts";

type Told = ResultOf<"_cleveragents/session/tell">;
type Task = NonNullable<Told["task"]>;

export const command: Command = {
  async run(invocation) {
    const { options, output, values } = invocation;
    const stream = values.isSet("stream");
    const wait = !stream && !values.isSet("no-wait");
    const params = {
      session_id: values.positional("ID"),
      text: await messageOf(invocation),
      message_id: values.text("message-id"),
      task_id: values.text("task"),
      wait,
    };
    const client = await invocation.client();
    let told = await client.call("_cleveragents/session/tell", params, { timeoutMs: options.timeoutMs });
    let shown = false;
    if (stream && told.task !== undefined) {
      const followed = await followAnswer(invocation, told.task.id);
      const { task } = followed;
      told = { ...told, task, response: responseOf(task) };
      shown = followed.shown && output.format === "text";
    }
    if (!shown)
      await output.result(told, {
        text: toldText,
        names: ({ task, message_id }) => [task?.id ?? message_id],
      });
    const code = outcomeOf(told);
    if (code === EXIT.WAITING)
      output.note(
        `It waits for an answer: agents session tell ${clean(params.session_id)} --task ${told.task?.id} …`,
      );
    return code;
  },
};

/** From the arguments, from stdin or from a file, and from nowhere else. */
async function messageOf(invocation: Invocation): Promise<string> {
  const words = invocation.values.all("MESSAGE");
  const file = invocation.values.text("file");
  if ((words.length === 0) === (file === undefined))
    throw usageError("say what to tell: words behind the id, - for stdin, or --file F");
  const text =
    file !== undefined || (words.length === 1 && words[0] === "-")
      ? (await readDocument(invocation, file ?? "-")).document
      : words.join(" ");
  if (text.trim() === "") throw new CliError("USAGE", "there is nothing to say", { exitCode: EXIT.USAGE });
  return text;
}

function toldText({ response, task, message }: Told): string {
  if (message !== undefined) return partsText(message.parts);
  if (response !== "") return response;
  const artifacts = task?.artifacts?.map(({ parts }) => partsText(parts)).join("\n") ?? "";
  return artifacts === "" ? `Task: ${task?.id ?? ""} (${wordOf(task)})` : artifacts;
}

function responseOf({ status }: Task): string {
  return status.message === undefined ? "" : partsText(status.message.parts);
}

function wordOf(task: Task | undefined): string {
  return (task?.status.state ?? "").replace("TASK_STATE_", "").toLowerCase().replaceAll("_", " ");
}

function outcomeOf({ task }: Told): ExitCode {
  switch (task?.status.state) {
    case "TASK_STATE_FAILED":
    case "TASK_STATE_REJECTED":
    case "TASK_STATE_CANCELED":
      return EXIT.PLAN_FAILED;
    case "TASK_STATE_INPUT_REQUIRED":
    case "TASK_STATE_AUTH_REQUIRED":
      return EXIT.WAITING;
    default:
      return EXIT.OK;
  }
}
