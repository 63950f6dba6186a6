import { a2aCommand } from "../a2a/a2a-command.ts";
import { refusalName } from "../a2a/agent-errors.ts";
import { readTask } from "../a2a/answers.ts";
import { emitTask } from "../a2a/emit-event.ts";
import { readMetadata } from "../a2a/message-parts.ts";

export const command = a2aCommand(async (run) => {
  const { values, output } = run;
  const metadata = readMetadata(values);
  const agent = await run.agent();
  const id = values.positional("TASK");
  const params = { id, ...(metadata === undefined ? {} : { metadata }) };
  try {
    await emitTask(run, await agent.call("CancelTask", params));
  } catch (error) {
    // An agent may refuse to stop what has ended (a2a-cli §10.4); how it has ended is told all the same.
    if (refusalName(error) === "TaskNotCancelableError") {
      const task = await agent.call("GetTask", { id }).catch(() => undefined);
      if (task !== undefined) output.warn(`the task is ${readTask(task).state} already`);
    }
    throw error;
  }
});
