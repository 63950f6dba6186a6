import { isTerminal, type LoggedEvent } from "@cleveragents/domain";
import { RESUME_EXTENSION } from "@cleveragents/protocol";
import type { PushPost } from "../ports/push-sender.ts";
import type { PushRow } from "../ports/push-store.ts";
import type { TaskSnapshot } from "../ports/task-store.ts";
import { toTask } from "../wire/dialects/v03/task.ts";
import { toStreamResponse, toWireTask, type WireStreamResponse } from "../wire/task.ts";

/** What is posted, and how far the receiver is in the log once it has it. */
export interface Notification {
  readonly seq: number;
  /** Nothing comes after it. */
  readonly last: boolean;
  readonly post: PushPost;
}

/** A2A §4.3.3: one event of the log. */
export function eventNotification(row: PushRow, logged: LoggedEvent, contextId: string): Notification {
  const { seq, event } = logged;
  const last = event.type === "status" && isTerminal(event.state);
  const body = withSequence(toStreamResponse(logged, contextId), seq);
  return { seq, last, post: post(row, "application/a2a+json", body) };
}

/** A2A 0.3 §9.5: the Task as it is by then, whatever has led to it. */
export function taskNotification(row: PushRow, snapshot: TaskSnapshot): Notification {
  const { lastSeq, state } = snapshot.row;
  const metadata = { [RESUME_EXTENSION]: { seq: lastSeq } };
  const task = toTask(toWireTask(snapshot, { history: true, artifacts: true, metadata }));
  return { seq: lastSeq, last: isTerminal(state), post: post(row, "application/json", task) };
}

function withSequence(response: WireStreamResponse, seq: number): object {
  return Object.fromEntries(
    Object.entries(response).map(([member, value]: [string, { metadata?: object | undefined }]) => [
      member,
      { ...value, metadata: { ...value.metadata, [RESUME_EXTENSION]: { seq } } },
    ]),
  );
}

function post({ url, token, authentication }: PushRow, contentType: string, body: unknown): PushPost {
  const { scheme, credentials } = authentication ?? {};
  return {
    url,
    headers: {
      "Content-Type": contentType,
      ...(credentials === undefined ? {} : { Authorization: `${scheme} ${credentials}` }),
      ...(token === undefined ? {} : { "X-A2A-Notification-Token": token }),
    },
    body: JSON.stringify(body),
  };
}
