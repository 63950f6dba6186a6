import {
  isTerminal,
  type LoggedEvent,
  TaskNotFoundError,
  type TaskState,
  TaskStateError,
} from "@cleveragents/domain";
import {
  type Cursor,
  formatCursor,
  type Principal,
  RESUME_EXTENSION,
  type StreamElement,
} from "@cleveragents/protocol";
import type { TaskRow, TaskSnapshot, TaskStore } from "../ports/task-store.ts";
import { mayUse } from "../services/access.ts";
import { toStreamResponse, toWireTask, type WireStreamResponse } from "../wire/task.ts";
import type { TaskFeeds } from "./task-feed.ts";

export interface SubscriptionRequest {
  readonly taskId: string;
  /** The resume extension is active: finished tasks can be followed too. */
  readonly resumable: boolean;
  /** Continue after this event; only with the extension. */
  readonly after?: Cursor | undefined;
  readonly signal: AbortSignal;
}

/** What an event is on the wire, made once however many follow. */
const wired = new WeakMap<LoggedEvent, WireStreamResponse>();

/**
 * A2A §3.1.6: the Task first, then every event, until the task is terminal. Throws `TaskNotFoundError`, and without
 * the resume extension `TaskStateError` for a task that is over.
 */
export async function* subscribe(
  deps: { readonly store: TaskStore; readonly feeds: TaskFeeds },
  principal: Principal,
  request: SubscriptionRequest,
): AsyncGenerator<StreamElement> {
  const { taskId, after, resumable, signal } = request;
  const resumed = resumable && after !== undefined;
  const snapshot = await deps.store.snapshot(taskId, {
    artifacts: !resumed,
    ...(resumed ? { historyLength: 0 } : {}),
  });
  if (snapshot === undefined || !mayUse(principal, snapshot.row)) throw new TaskNotFoundError(taskId);
  let { row } = snapshot;
  if (isTerminal(row.state) && !resumable)
    throw new TaskStateError(taskId, row.state, "a finished task has no more events");
  let cursor = row.lastSeq;
  if (resumed && after.seq <= row.lastSeq) {
    cursor = after.seq;
    yield element(taskId, cursor, { task: toWireTask(snapshot, {}) });
  } else {
    const full = resumed ? ((await deps.store.snapshot(taskId, { artifacts: true })) ?? snapshot) : snapshot;
    row = full.row;
    cursor = row.lastSeq;
    const metadata = resumed ? { [RESUME_EXTENSION]: { gap: true } } : {};
    yield element(taskId, cursor, { task: toWireTask(full, { history: true, artifacts: true, metadata }) });
  }
  if (isTerminal(row.state) && cursor >= row.lastSeq) return;
  yield* events(deps.feeds, row, cursor, signal, isTerminal);
}

/** The Task as a snapshot has it, then every event after it, until the task is in a state that ends the stream. */
export async function* followFrom(
  feeds: TaskFeeds,
  snapshot: TaskSnapshot,
  options: { readonly signal: AbortSignal; readonly ends: (state: TaskState) => boolean },
): AsyncGenerator<StreamElement> {
  const { row } = snapshot;
  yield element(row.taskId, row.lastSeq, { task: toWireTask(snapshot) });
  if (options.ends(row.state)) return;
  yield* events(feeds, row, row.lastSeq, options.signal, options.ends);
}

async function* events(
  feeds: TaskFeeds,
  { taskId, contextId }: TaskRow,
  after: number,
  signal: AbortSignal,
  ends: (state: TaskState) => boolean,
): AsyncGenerator<StreamElement> {
  for await (const page of feeds.follow(taskId, after, signal)) {
    for (const logged of page) {
      yield element(taskId, logged.seq, wire(logged, contextId));
      if (logged.event.type === "status" && ends(logged.event.state)) return;
    }
  }
}

function wire(logged: LoggedEvent, contextId: string): WireStreamResponse {
  let response = wired.get(logged);
  if (response === undefined) {
    response = toStreamResponse(logged, contextId);
    wired.set(logged, response);
  }
  return response;
}

function element(taskId: string, seq: number, result: WireStreamResponse): StreamElement {
  return { cursor: formatCursor(taskId, seq), seq, result };
}
