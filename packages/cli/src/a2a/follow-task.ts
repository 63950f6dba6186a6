import { setTimeout as delay } from "node:timers/promises";
import { TransportError } from "@cleveragents/protocol";
import { RestError } from "@cleveragents/transport-http/client";
import type { Agent } from "./agent.ts";
import { refusal, refusalName } from "./agent-errors.ts";
import { type EventView, isResting, readEvent, readTask } from "./answers.ts";
import type { Params } from "./operations.ts";

export interface Pace {
  /** Between two looks at a task. */
  readonly intervalMs: number;
  /** The first looks come quicker, as long as nobody has asked for an interval. */
  readonly quickStart: boolean;
}

/** Looks that may fail one after the other before a wait is given up. */
const MOST_FAILURES = 5;
const FIRST_MS = 200;
const LONGEST_MS = 30_000;

/** Asks until the task rests, and gives it as it came. A failing connection is borne for a while. */
export async function pollTask(agent: Agent, params: Params, pace: Pace): Promise<unknown> {
  let failures = 0;
  for (let look = 0; ; look++) {
    try {
      const task = await agent.call("GetTask", params);
      failures = 0;
      if (isResting(readTask(task).state)) return task;
    } catch (error) {
      failures += 1;
      if (agent.signal?.aborted === true || failures >= MOST_FAILURES || !mayPass(error)) throw error;
    }
    const quick = pace.quickStart ? Math.min(FIRST_MS * 1.5 ** look, pace.intervalMs) : pace.intervalMs;
    await delay(Math.min(quick * 2 ** failures, LONGEST_MS), undefined, { signal: agent.signal });
  }
}

export interface FollowOptions {
  /** The stream that the task began with; else the task is subscribed to. */
  readonly first?: AsyncGenerator<unknown>;
  readonly taskId?: string;
  readonly pace: Pace;
  /** Each element as it came, and as it was read. */
  readonly onEvent: (json: unknown, event: EventView) => void | Promise<void>;
  /** Told, for a person, when a stream is lost. */
  readonly onLoss: (why: string) => void;
}

/**
 * Follows a task's events until it rests or has answered with a message. A stream that is lost is subscribed to again, and
 * where that does not work the task is asked after until it rests; its last element is then the task itself.
 */
export async function followTask(agent: Agent, options: FollowOptions): Promise<void> {
  const { onEvent, onLoss, pace } = options;
  const streams = agent.facts.capabilities.includes("streaming");
  let taskId = options.taskId;
  let stream = options.first;
  let losses = 0;
  for (;;) {
    if (stream === undefined && (!streams || losses > MOST_FAILURES)) break;
    const isFirst = stream !== undefined && losses === 0 && options.first !== undefined;
    if (stream === undefined) {
      if (taskId === undefined) break;
      stream = agent.stream("SubscribeToTask", { id: taskId });
    }
    let why = "it ended before the task did";
    try {
      for await (const json of stream) {
        const event = readEvent(json);
        taskId = taskIdOf(event) ?? taskId;
        await onEvent(json, event);
        if (endsFollowing(event)) return;
        losses = 0;
      }
    } catch (error) {
      if (agent.signal?.aborted === true) throw error;
      // Who has ended cannot be subscribed to (A2A §3.1.6); what it has become it can be asked.
      if (!isFirst && refusalName(error) === "UnsupportedOperationError") break;
      if (taskId === undefined || !mayPass(error)) throw error;
      why = error instanceof Error ? error.message : String(error);
    }
    if (taskId === undefined)
      throw refusal("InvalidAgentResponseError", "the stream ended without a task and without a message");
    onLoss(why);
    losses += 1;
    stream = undefined;
    await delay(Math.min(FIRST_MS * 2 ** losses, pace.intervalMs), undefined, { signal: agent.signal });
  }
  const task = await pollTask(agent, { id: taskId }, pace);
  const json = agent.wrap(task);
  await onEvent(json, readEvent(json));
}

function taskIdOf(event: EventView): string | undefined {
  const id =
    event.kind === "task"
      ? event.task.id
      : event.kind === "status" || event.kind === "artifact"
        ? event.taskId
        : "";
  return id === "" ? undefined : id;
}

function endsFollowing(event: EventView): boolean {
  if (event.kind === "message") return true;
  if (event.kind === "task") return isResting(event.task.state);
  return event.kind === "status" && isResting(event.state);
}

/** Worth another try: nothing was refused for good. */
function mayPass(error: unknown): boolean {
  if (TransportError.is(error)) return ["NOT_CONNECTED", "CONNECTION_LOST", "TIMEOUT"].includes(error.reason);
  return error instanceof RestError && [429, 502, 503, 504].includes(error.status);
}
