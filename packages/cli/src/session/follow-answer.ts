import { followTask, type ResultOf } from "@cleveragents/protocol";
import { CliError } from "../cli-error.ts";
import type { Invocation } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { clean } from "../output/clean.ts";
import { partsText } from "../output/said-text.ts";
import { isTerminal, isWaiting } from "../plan/outcome.ts";

type Task = ResultOf<"GetTask">;

/**
 * Shows what a task answers while it comes, over any number of lost connections, until it is over or waits for somebody.
 * The task does not depend on it: Ctrl-C and the time limit leave it alone. `shown`: whether anything of the answer was.
 */
export async function followAnswer(
  { context, options, output, client: connect }: Invocation,
  taskId: string,
  /** Told of everything as it comes, beside what people see. */
  onItem?: (item: ResultOf<"SubscribeToTask">) => void,
): Promise<{ readonly task: Task; readonly shown: boolean }> {
  const client = await connect();
  const stop = new AbortController();
  const silence = context.onInterrupt(() => stop.abort("interrupt"));
  const timer =
    options.timeoutMs === undefined ? undefined : setTimeout(() => stop.abort("timeout"), options.timeoutMs);
  const show = (text: string) => {
    if (output.format === "text") output.raw(context.stdout.isTTY ? clean(text) : text);
  };
  let open = "";
  let shown = false;
  try {
    for await (const { result } of followTask(client, taskId, {
      signal: stop.signal,
      after: `${taskId}:0`,
      onReconnect: (attempt) => output.note(`Connection lost; trying again (${attempt})`),
    })) {
      onItem?.(result);
      if ("artifactUpdate" in result) {
        const { artifact, append } = result.artifactUpdate;
        const text = artifact.parts.flatMap((part) => part.text ?? []).join("");
        // Another artifact, or this one anew: what stands there is not what it goes on from.
        if (open !== "" && (open !== artifact.artifactId || append !== true)) show("\n");
        open = artifact.artifactId;
        show(text);
        shown ||= text !== "";
        continue;
      }
      const status = "statusUpdate" in result ? result.statusUpdate.status : undefined;
      const ended = status !== undefined && (isTerminal(status.state) || isWaiting(status.state));
      if (status?.message !== undefined && !(ended && shown)) {
        if (open !== "") show("\n");
        open = "";
        show(`${partsText(status.message.parts)}\n`);
        shown ||= ended;
      }
      if (
        ended &&
        (await client.call("GetTask", { id: taskId, historyLength: 0 })).status.state === status.state
      )
        break;
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    throw gaveUp(String(stop.signal.reason), taskId);
  } finally {
    silence();
    clearTimeout(timer);
    stop.abort();
  }
  if (open !== "") show("\n");
  return { task: await client.call("GetTask", { id: taskId }), shown };
}

function gaveUp(why: string, taskId: string): CliError {
  return why === "timeout"
    ? new CliError("TIMEOUT", `no whole answer within the time; task ${taskId} goes on`, {
        exitCode: EXIT.TIMEOUT,
      })
    : new CliError("INTERRUPTED", `interrupted; task ${taskId} goes on`, { exitCode: EXIT.INTERRUPTED });
}
