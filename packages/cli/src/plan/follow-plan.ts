import {
  type Client,
  followTask,
  parseCursor,
  RemoteError,
  type ResultOf,
  type StreamItem,
} from "@cleveragents/protocol";
import { CliError } from "../cli-error.ts";
import type { Invocation } from "../command/command.ts";
import { readAgain } from "../connect/read-again.ts";
import { EXIT } from "../exit-codes.ts";
import type { PlanStatus } from "./ask-text.ts";
import { waitingChildren } from "./children-text.ts";
import { type Ending, watchForEnding } from "./ending.ts";
import { type Observation, observe } from "./observe.ts";
import { isTerminal, isWaiting } from "./outcome.ts";
import { type Closing, createPlanView, type PlanView } from "./plan-view.ts";

export interface FollowRequest {
  readonly planId: string;
  /** Called once the stream is open, so that nothing of what it starts is missed. False: there is nothing to wait for. */
  readonly start?: (before: Pick<Observation, "taskState">) => Promise<boolean>;
  /** Tell everything from the beginning of the log. */
  readonly fromStart?: boolean;
  /** Go on while the plan waits for an answer. */
  readonly untilDone?: boolean | undefined;
  /** Told of everything as it comes, beside what people see. */
  readonly onItem?: ((item: ResultOf<"SubscribeToTask">) => void) | undefined;
  /** Whether what the plan waits for now will be asked below what was shown. */
  readonly asksBelow?: (status: PlanStatus) => boolean;
}

type Item = StreamItem<ResultOf<"SubscribeToTask">>;

/**
 * Follows a plan, showing its progress, until it waits for a person or has ended; the answer is its status then. The
 * plan never depends on being followed. Throws INTERRUPTED, CANCELLED or TIMEOUT, which say how to come back.
 */
export async function followPlan(invocation: Invocation, request: FollowRequest): Promise<PlanStatus> {
  const { planId } = request;
  const client = await invocation.client();
  const view = await createPlanView(invocation, planId);
  const ending = watchForEnding(invocation.context, invocation.options.timeoutMs, (text) =>
    view.say(text, true),
  );
  let ended: Ending | undefined;
  let closing: Closing = "left";
  try {
    const outcome = await Promise.race([follow(client, request, view, ending.signal), ending.happened]);
    // Whoever wants to leave is not asked what the plan has come to wait for meanwhile.
    if (typeof outcome === "string") ended = outcome;
    else if (ending.pressed && isWaiting(outcome.task_state)) ended = "detach";
    else {
      closing = request.asksBelow?.(outcome) === true ? "asked" : "told";
      return outcome;
    }
  } finally {
    ending.stop();
    view.close(closing);
  }
  throw await endedBy(ended, client, planId, invocation.options.timeoutMs);
}

async function follow(
  client: Client,
  request: FollowRequest,
  view: PlanView,
  signal: AbortSignal,
): Promise<PlanStatus> {
  const { planId, start, fromStart, untilDone, onItem } = request;
  const after = fromStart ? `${planId}:0` : undefined;
  const status = () =>
    readAgain(() => client.call("_cleveragents/plan/status", { plan_id: planId }, { signal }), { signal });
  const onReconnect = (attempt: number) => view.say(`Connection lost; trying again (${attempt})`);
  let isFirst = true;
  try {
    for await (const item of followTask(client, planId, { signal, after, onReconnect })) {
      const observation = observe(item.result);
      onItem?.(item.result);
      if (isFirst && start !== undefined) {
        if (!(await start(observation))) return await status();
      } else if (!(isFirst && isReplay(item, observation, after))) {
        view.show(observation);
        const state = observation.taskState;
        if (state !== undefined && (isTerminal(state) || (isWaiting(state) && untilDone !== true))) {
          const now = await status();
          if (isStopped(now, observation)) return now;
        }
        // It goes on working, and nothing happens before somebody answers what one of its subplans asks.
        if (observation.event?.name === "plan.child_waiting" && untilDone !== true) {
          const now = await status();
          if (waitingChildren(now).length > 0) return now;
        }
      }
      isFirst = false;
    }
  } catch (error) {
    // A2A §3.1.6: a task that has ended cannot be subscribed to.
    if (!RemoteError.is(error) || error.reason !== "UNSUPPORTED_OPERATION") throw error;
    if (isFirst) await start?.({ taskState: undefined });
  }
  return status();
}

/** The Task that opens a replay stands at the cursor asked for; the events that led to its state still follow. */
function isReplay({ cursor, result }: Item, { gap }: Observation, after: string | undefined): boolean {
  if (after === undefined || gap || !("task" in result)) return false;
  return cursor !== undefined && parseCursor(cursor)?.seq === parseCursor(after)?.seq;
}

/** Whether the plan still stands where the event left it: an old question in a replay is no reason to stop. */
function isStopped(status: PlanStatus, { taskState = "", ask }: Observation): boolean {
  if (isTerminal(taskState)) return isTerminal(status.task_state);
  const request = ask?.request_id ?? "";
  const open = status.waiting_for?.request_id ?? "";
  return isWaiting(status.task_state) && (request === "" || open === "" || request === open);
}

async function endedBy(
  ending: Ending,
  client: Client,
  planId: string,
  timeoutMs: number | undefined,
): Promise<CliError> {
  const hint = `to return: agents plan watch ${planId}`;
  if (ending === "timeout") {
    const seconds = (timeoutMs ?? 0) / 1000;
    return new CliError("TIMEOUT", `plan ${planId} has not stopped within ${seconds} s; it goes on`, {
      hint,
      exitCode: EXIT.TIMEOUT,
    });
  }
  if (ending === "detach") {
    return new CliError("INTERRUPTED", `interrupted; plan ${planId} goes on`, {
      hint,
      exitCode: EXIT.INTERRUPTED,
    });
  }
  await client.call("_cleveragents/plan/cancel", {
    plan_id: planId,
    reason: "interrupted twice at the command line",
  });
  return new CliError("CANCELLED", `interrupted twice; plan ${planId} is cancelled`, {
    exitCode: EXIT.INTERRUPTED,
  });
}
