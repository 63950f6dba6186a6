import type { JsonObject, Session } from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import { saidIn } from "../messages/earlier.ts";
import { planOf } from "../plans/plan-document.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { TaskRow, TaskStore } from "../ports/task-store.ts";
import { digestOfJson } from "../tools/call-key.ts";
import { toWireArtifact, toWireMessage } from "../wire/message.ts";
import { toPlanStatus } from "../wire/plan.ts";
import { iso } from "../wire/task.ts";
import { tasksOf } from "./session-closer.ts";

const SCHEMA_VERSION = "v3";
/** A document is read again as one request; what could not be is not written. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** The SHA-256 of a document without its checksum, whatever the order of its keys. */
export async function checksumOf({ checksum: _, ...document }: JsonObject): Promise<string> {
  return `sha256:${await digestOfJson(document)}`;
}

/**
 * A session as a document: what it is, what was said in it, and of its plans what their status says. Nothing of how
 * somebody signs in is in it: neither keys nor where notifications are posted.
 */
export async function exportSession(
  { store, sessions }: { readonly store: TaskStore; readonly sessions: SessionStore },
  session: Session,
): Promise<JsonObject> {
  const { sessionId, name, actor, createdAt, updatedAt, budget, metadata = {} } = session;
  const messages: unknown[] = [];
  const tasks: unknown[] = [];
  const plans: { readonly plan_id: string }[] = [];
  let written = 0;
  const add = (to: unknown[], ...items: readonly unknown[]) => {
    written += items.reduce<number>((sum, item) => sum + JSON.stringify(item).length, 0);
    if (written > MOST_CHARACTERS) throw tooLarge(session);
    to.push(...items);
  };
  const record = await sessions.record(sessionId);
  add(messages, ...listOf(record, "messages").map((message) => toWireMessage(message as never)));
  add(tasks, ...listOf(record, "tasks"));
  add(plans, ...listOf(record, "linked_plans"));
  for (const row of await oldestFirst(store, session)) {
    if (row.kind === "plan") {
      add(plans, linkedPlan(row));
      continue;
    }
    const snapshot = await store.snapshot(row.taskId, { artifacts: true });
    if (snapshot === undefined) continue;
    const said = saidIn(snapshot).map(({ contextId: _, ...message }) => toWireMessage(message));
    add(messages, ...said);
    add(tasks, { ...taskOf(row), artifacts: snapshot.artifacts.map(toWireArtifact) });
  }
  const document = {
    schema_version: SCHEMA_VERSION,
    session_id: sessionId,
    ...(name === undefined ? {} : { name }),
    ...(actor === undefined ? {} : { actor_name: actor }),
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
    ...(budget === undefined ? {} : { budget }),
    metadata,
    messages,
    tasks,
    linked_plan_ids: plans.map(({ plan_id }) => plan_id),
    linked_plans: plans,
  };
  // What is absent is left out, and what has a form of its own is text, as whoever reads it finds it.
  const plain = JSON.parse(JSON.stringify(document)) as JsonObject;
  return { ...plain, checksum: await checksumOf(plain) };
}

/** As they were begun. */
async function oldestFirst(store: TaskStore, session: Session): Promise<readonly TaskRow[]> {
  const rows: TaskRow[] = [];
  for await (const row of tasksOf(store, session)) rows.push(row);
  return rows.sort((a, b) => a.createdAt - b.createdAt || (a.taskId < b.taskId ? -1 : 1));
}

function taskOf({ taskId, state, createdAt, updatedAt, lastSeq }: TaskRow) {
  return {
    task_id: taskId,
    state,
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
    log: { task_id: taskId, last_seq: lastSeq },
  };
}

function linkedPlan(row: TaskRow) {
  const plan = planOf(row);
  return {
    plan_id: plan.planId,
    action: plan.action,
    phase: plan.stage.phase,
    state: plan.stage.state,
    status: toPlanStatus(row, plan),
    ...(plan.changeset === undefined ? {} : { changeset: { digest: plan.changeset.digest } }),
    log: { task_id: row.taskId, last_seq: row.lastSeq },
  };
}

function listOf(record: JsonObject | undefined, name: string): readonly never[] {
  const list = record?.[name];
  return (Array.isArray(list) ? list : []) as unknown as readonly never[]; // written by the import alone
}

function tooLarge({ sessionId }: Session): ProtocolError {
  return new ProtocolError("InvalidState", {
    reason: "SESSION_TOO_LARGE",
    message: `The session has more than a document may hold (${MOST_CHARACTERS} characters)`,
    details: { session_id: sessionId },
  });
}
