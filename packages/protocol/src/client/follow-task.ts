import { parseCursor } from "../cursor.ts";
import { errorCatalog } from "../errors/error-catalog.ts";
import { RemoteError } from "../errors/remote-error.ts";
import { RESUME_EXTENSION } from "../extensions.ts";
import type { ResultOf } from "../methods/method-table.ts";
import type { Client, StreamItem } from "./create-client.ts";
import { TransportError } from "./transport-error.ts";

export interface FollowOptions {
  readonly signal?: AbortSignal | undefined;
  /** Follow from after this cursor instead of from now. */
  readonly after?: string | undefined;
  /** Told before each new try; `attempt` counts from 1 since the last event. */
  readonly onReconnect?: ((attempt: number, error: unknown) => void) | undefined;
  /** Tries in a row without an event before giving up; 10 by default. */
  readonly maxAttempts?: number | undefined;
  /** Milliseconds before the first new try; doubles up to 5 s. */
  readonly retryMs?: number | undefined;
}

type Item = StreamItem<ResultOf<"SubscribeToTask">>;
const TERMINAL: ReadonlySet<string> = new Set([
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
]);

/**
 * Follows a task to its end over any number of lost connections: every event once and in order, by the resume
 * extension. After a break the Task that opens the new stream is left out unless events are missing
 * (`metadata[resume].gap`), in which case it is yielded.
 */
export async function* followTask(
  client: Client,
  id: string,
  options: FollowOptions = {},
): AsyncGenerator<Item> {
  let cursor = options.after;
  let attempt = 0;
  let opened = false;
  let state: string | undefined;
  for (;;) {
    let broken: unknown;
    try {
      let first = true;
      const stream = client.stream(
        "SubscribeToTask",
        { id },
        {
          signal: options.signal,
          extensions: [RESUME_EXTENSION],
          ...(cursor === undefined ? {} : { lastEventId: cursor }),
        },
      );
      for await (const item of stream) {
        const repeated = first && opened && "task" in item.result && !hasGap(item.result.task.metadata);
        first = false;
        attempt = 0;
        if (!repeated) {
          if (isOld(item.cursor, cursor) && !("task" in item.result)) continue;
          yield item;
        }
        opened = true;
        if (item.cursor !== undefined) cursor = item.cursor;
        state = stateOf(item) ?? state;
      }
      if (state !== undefined && TERMINAL.has(state)) return;
      // A server that stops ends its streams in good order and expects us back.
      broken = new TransportError("CONNECTION_LOST", "the stream ended before the task did");
    } catch (error) {
      if (!mayReturn(error)) throw error;
      broken = error;
    }
    attempt++;
    if (options.signal?.aborted === true || attempt > (options.maxAttempts ?? 10)) throw broken;
    options.onReconnect?.(attempt, broken);
    await pause(Math.min((options.retryMs ?? 100) * 2 ** (attempt - 1), 5000), options.signal);
  }
}

/** Reasons of refusals that say nothing about the subscription: what the agent needs is away, or the agent leaves. */
const PASSING: readonly string[] = [
  errorCatalog.ShuttingDown.reason,
  errorCatalog.AuthenticationUnavailable.reason,
  "DATABASE_UNAVAILABLE",
];

/** Whether the same subscription may work a moment later: a lost connection, or an agent that cannot answer just now. */
function mayReturn(error: unknown): boolean {
  if (TransportError.is(error)) return error.reason === "CONNECTION_LOST" || error.reason === "NOT_CONNECTED";
  return RemoteError.is(error) && PASSING.includes(error.reason);
}

function isOld(candidate: string | undefined, seen: string | undefined): boolean {
  const a = candidate === undefined ? undefined : parseCursor(candidate);
  const b = seen === undefined ? undefined : parseCursor(seen);
  return a !== undefined && b !== undefined && a.taskId === b.taskId && a.seq <= b.seq;
}

function hasGap(metadata: Record<string, unknown> | undefined): boolean {
  const own = metadata?.[RESUME_EXTENSION];
  return typeof own === "object" && own !== null && "gap" in own && own.gap === true;
}

function stateOf({ result }: Item): string | undefined {
  return "statusUpdate" in result
    ? result.statusUpdate.status.state
    : "task" in result
      ? result.task.status.state
      : undefined;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
