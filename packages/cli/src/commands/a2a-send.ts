import { randomUUID } from "node:crypto";
import { type A2aRun, a2aCommand } from "../a2a/a2a-command.ts";
import { a2aError } from "../a2a/a2a-errors.ts";
import type { Agent } from "../a2a/agent.ts";
import { type EventView, isResting, readEvent } from "../a2a/answers.ts";
import { emitEvent, sayOutcome } from "../a2a/emit-event.ts";
import { followTask, pollTask } from "../a2a/follow-task.ts";
import { readMetadata, readParts } from "../a2a/message-parts.ts";
import type { Params } from "../a2a/operations.ts";

/** Sends a message to any agent, and waits for what becomes of it unless told otherwise. */
export const command = a2aCommand(async (run) => {
  const isAsync = run.settings.isOn("async");
  if (run.streams && isAsync)
    throw a2aError("USAGE", "--stream follows the task and --async leaves it: choose one");
  const params = await paramsOf(run);
  const agent = await run.agent();
  if (run.streams) return follow(run, agent, params);
  const answer = await agent.call("SendMessage", withConfiguration(params));
  const event = readEvent(answer);
  const taskId = event.kind === "task" ? event.task.id : "";
  run.remember(taskId);
  if (event.kind !== "task" || isAsync || isResting(event.task.state)) return emitLast(run, answer, event);
  // Known from here on, whatever comes: a wait may be interrupted.
  run.output.note(`waiting for task ${taskId} of context ${event.task.contextId}`);
  const task = await pollTask(agent, { id: taskId }, run.pace);
  const last = agent.wrap(task);
  await emitLast(run, last, readEvent(last));
});

async function paramsOf(run: A2aRun): Promise<Params> {
  const { settings, values, context } = run;
  const contextId = settings.text("context-id");
  const taskId = settings.text("task-id");
  const metadata = readMetadata(values);
  return {
    message: {
      messageId: values.text("message-id") ?? randomUUID(),
      role: "ROLE_USER",
      parts: await readParts(values, context),
      ...(contextId === undefined ? {} : { contextId }),
      ...(taskId === undefined ? {} : { taskId }),
    },
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/**
 * The agent is asked to answer at once and is then asked again, rather than holding one request open: the task's id is known
 * early, and no proxy ends a long wait.
 */
function withConfiguration(params: Params): Params {
  return { ...params, configuration: { returnImmediately: true } };
}

async function follow(run: A2aRun, agent: Agent, params: Params): Promise<void> {
  let last: EventView | undefined;
  const onEvent = async (json: unknown, event: EventView) => {
    if (event.kind === "task") run.remember(event.task.id);
    last = event;
    await emitEvent(run, json, event);
  };
  if (!agent.facts.capabilities.includes("streaming")) {
    run.output.note("this agent does not stream: it is asked again and again");
    const answer = await agent.call("SendMessage", withConfiguration(params));
    const event = readEvent(answer);
    await onEvent(answer, event);
    if (event.kind === "task" && !isResting(event.task.state))
      await followTask(agent, { taskId: event.task.id, pace: run.pace, onEvent, onLoss: () => {} });
  } else {
    const first = agent.stream("SendStreamingMessage", params);
    await followTask(agent, { first, pace: run.pace, onEvent, onLoss: lossOf(run) });
  }
  sayOutcome(run, last);
}

function lossOf({ output }: A2aRun): (why: string) => void {
  return (why) => output.note(`the stream was lost (${why}); going on`);
}

async function emitLast(run: A2aRun, json: unknown, event: EventView): Promise<void> {
  await emitEvent(run, json, event);
  sayOutcome(run, event);
}
