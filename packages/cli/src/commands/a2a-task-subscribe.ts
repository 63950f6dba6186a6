import { a2aCommand } from "../a2a/a2a-command.ts";
import type { EventView } from "../a2a/answers.ts";
import { emitEvent, emitTask, sayOutcome } from "../a2a/emit-event.ts";
import { followTask } from "../a2a/follow-task.ts";

/** Follows a task of any agent's until it rests: element by element with `--stream`, else to its last state. */
export const command = a2aCommand(async (run) => {
  const taskId = run.values.positional("TASK");
  const agent = await run.agent();
  run.remember(taskId);
  if (!agent.facts.capabilities.includes("streaming"))
    run.output.note("this agent does not stream: it is asked again and again");
  let last: EventView | undefined;
  await followTask(agent, {
    taskId,
    pace: run.pace,
    onEvent: async (json, event) => {
      last = event;
      if (run.streams) await emitEvent(run, json, event);
    },
    onLoss: (why) => run.output.note(`the stream was lost (${why}); going on`),
  });
  if (!run.streams) await emitTask(run, await agent.call("GetTask", { id: taskId }));
  sayOutcome(run, last);
});
