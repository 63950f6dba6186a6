import { followTask } from "@cleveragents/protocol";
import type { Invocation } from "../command/command.ts";
import type { Diff } from "./apply-summary.ts";
import { observe } from "./observe.ts";
import { Progress } from "./progress.ts";

/** From here on the agent tells how far it is with writing. */
const MANY_FILES = 500;
const MANY_BYTES = 200_000_000;

/** Shows how far the writing of large changes is while `work` waits for its end; what is shown is nothing that could fail it. */
export async function whileWriting<T>(
  { output, client: connect }: Pick<Invocation, "client" | "output">,
  { plan_id, files }: Diff,
  work: () => Promise<T>,
): Promise<T> {
  const bytes = files.reduce((sum, { new_size = 0 }) => sum + new_size, 0);
  if (files.length < MANY_FILES && bytes < MANY_BYTES) return await work();
  const over = new AbortController();
  // It ends with its signal; nobody waits for it longer than for the answer.
  void show(await connect(), plan_id, over.signal, output).catch(() => undefined);
  try {
    return await work();
  } finally {
    over.abort();
  }
}

async function show(
  client: Awaited<ReturnType<Invocation["client"]>>,
  planId: string,
  signal: AbortSignal,
  output: Invocation["output"],
): Promise<void> {
  const progress = new Progress(output.errorPage.paint, false);
  for await (const { result } of followTask(client, planId, { signal })) {
    const observation = observe(result);
    if (observation.event?.name !== "sandbox.progress") continue;
    for (const line of progress.take(observation)) output.note(line);
  }
}
