import { a2aCommand } from "../a2a/a2a-command.ts";
import { readEvent } from "../a2a/answers.ts";
import { emitTask, sayOutcome } from "../a2a/emit-event.ts";
import { pollTask } from "../a2a/follow-task.ts";
import { historyOf } from "../a2a/task-flags.ts";

/** A task of any agent's as it is, or with `--wait` as it is once it rests. */
export const command = a2aCommand(async (run) => {
  const { values } = run;
  const id = values.positional("TASK");
  const params = { id, ...historyOf(values) };
  const waits = values.isSet("wait") || values.isSet("watch");
  const agent = await run.agent();
  run.remember(id);
  const task = await (waits ? pollTask(agent, params, run.pace) : agent.call("GetTask", params));
  await emitTask(run, task);
  sayOutcome(run, readEvent({ task }));
});
