import type { ResultOf } from "@cleveragents/protocol";
import { CliError, usageError } from "../cli-error.ts";
import type { Command, Invocation } from "../command/command.ts";
import { readDocument } from "../command/document.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
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
      wait,
    };
    const client = await invocation.client();
    let told = await client.call("_cleveragents/session/tell", params, { timeoutMs: options.timeoutMs });
    if (stream && told.task !== undefined) {
      const { task, shown } = await followAnswer(invocation, told.task.id);
      told = { ...told, task, response: responseOf(task) };
      // It stands there already.
      if (shown && output.format === "text") return outcomeOf(told);
    }
    await output.result(told, {
      text: toldText,
      names: ({ task, message_id }) => [task?.id ?? message_id],
    });
    return outcomeOf(told);
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
