import { isTerminal, TaskNotFoundError, type TaskState, TaskStateError } from "@cleveragents/domain";
import {
  type Cursor,
  formatCursor,
  type Principal,
  RESUME_EXTENSION,
  type StreamElement,
} from "@cleveragents/protocol";
import type { TaskRow, TaskSnapshot, TaskStore } from "../ports/task-store.ts";
import { mayUse } from "../services/access.ts";
import { toWireTask, type WireStreamResponse } from "../wire/task.ts";
import { elementOf } from "./logged-element.ts";
import { PagedElements } from "./paged-elements.ts";
import type { TaskFeeds } from "./task-feed.ts";

export interface SubscriptionRequest {
  readonly taskId: string;
  /** The resume extension is active: finished tasks can be followed too. */
  readonly resumable: boolean;
  /** Continue after this event; only with the extension. */
  readonly after?: Cursor | undefined;
  readonly signal: AbortSignal;
}

export interface SubscriptionDeps {
  readonly store: TaskStore;
  readonly feeds: TaskFeeds;
}

/**
 * A2A §3.1.6: the Task first, then every event, until the task is terminal. Throws `TaskNotFoundError`, and without
 * the resume extension `TaskStateError` for a task that is over.
 */
export function subscribe(
  deps: SubscriptionDeps,
  principal: Principal,
  request: SubscriptionRequest,
): AsyncIterable<StreamElement> {
  return new PagedElements(pagesOf(deps, principal, request));
}

async function* pagesOf(
  deps: SubscriptionDeps,
  principal: Principal,
  request: SubscriptionRequest,
): AsyncGenerator<readonly StreamElement[], void> {
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
    yield [element(taskId, cursor, { task: toWireTask(snapshot, {}) })];
  } else {
    const full = resumed ? ((await deps.store.snapshot(taskId, { artifacts: true })) ?? snapshot) : snapshot;
    row = full.row;
    cursor = row.lastSeq;
    const metadata = resumed ? { [RESUME_EXTENSION]: { gap: true } } : {};
    yield [element(taskId, cursor, { task: toWireTask(full, { history: true, artifacts: true, metadata }) })];
  }
  if (isTerminal(row.state) && cursor >= row.lastSeq) return;
  yield* events(deps.feeds, row, cursor, signal, isTerminal);
}

/** The Task as a snapshot has it, then every event after it, until the task is in a state that ends the stream; in pages. */
export async function* followFrom(
  feeds: TaskFeeds,
  snapshot: TaskSnapshot,
  options: { readonly signal: AbortSignal; readonly ends: (state: TaskState) => boolean },
): AsyncGenerator<readonly StreamElement[], void> {
  const { row } = snapshot;
  yield [element(row.taskId, row.lastSeq, { task: toWireTask(snapshot) })];
  if (options.ends(row.state)) return;
  yield* events(feeds, row, row.lastSeq, options.signal, options.ends);
}

async function* events(
  feeds: TaskFeeds,
  { taskId, contextId }: TaskRow,
  after: number,
  signal: AbortSignal,
  ends: (state: TaskState) => boolean,
): AsyncGenerator<readonly StreamElement[], void> {
  for await (const page of feeds.follow(taskId, after, signal)) {
    const last = page.findIndex(({ event }) => event.type === "status" && ends(event.state));
    const shown = last === -1 ? page : page.slice(0, last + 1);
    yield shown.map((logged) => elementOf(logged, contextId));
    if (last !== -1) return;
  }
}

function element(taskId: string, seq: number, result: WireStreamResponse): StreamElement {
  return { cursor: formatCursor(taskId, seq), seq, result };
}
