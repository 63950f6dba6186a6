import type { ResultOf } from "@cleveragents/protocol";
import { CliError, usageError } from "../cli-error.ts";
import type { Invocation } from "../command/command.ts";
import { readDocument } from "../command/document.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { partsText } from "../output/said-text.ts";

type Task = ResultOf<"GetTask">;

/** What is to be said: from the arguments, from stdin or from a file, and from nowhere else. */
export async function saidWords(invocation: Invocation, behind: string): Promise<string> {
  const words = invocation.values.all("MESSAGE");
  const file = invocation.values.text("file");
  if ((words.length === 0) === (file === undefined))
    throw usageError(`say what to tell: words behind the ${behind}, - for stdin, or --file F`);
  const text =
    file !== undefined || (words.length === 1 && words[0] === "-")
      ? (await readDocument(invocation, file ?? "-")).document
      : words.join(" ");
  if (text.trim() === "") throw new CliError("USAGE", "there is nothing to say", { exitCode: EXIT.USAGE });
  return text;
}

/** What was answered, as text; where nothing was yet, which task it will come from. */
export function answerText({
  response,
  task,
  message,
}: Pick<ResultOf<"_cleveragents/session/tell">, "response" | "task" | "message">): string {
  if (message !== undefined) return partsText(message.parts);
  if (response !== "") return response;
  const artifacts = task?.artifacts?.map(({ parts }) => partsText(parts)).join("\n") ?? "";
  return artifacts === "" ? `Task: ${task?.id ?? ""} (${wordOf(task)})` : artifacts;
}

export function responseOf({ status }: Task): string {
  return status.message === undefined ? "" : partsText(status.message.parts);
}

/** An exit code says whether the answer came; that somebody waits is one, too. */
export function outcomeOf(task: Task | undefined): ExitCode {
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

function wordOf(task: Task | undefined): string {
  return (task?.status.state ?? "").replace("TASK_STATE_", "").toLowerCase().replaceAll("_", " ");
}
