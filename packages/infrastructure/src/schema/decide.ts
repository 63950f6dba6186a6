import { isDeepStrictEqual } from "node:util";
import {
  type Committed,
  type Expectation,
  InboxConflictError,
  MessageSeenError,
  SharedMovedError,
  TaskExistsError,
} from "@cleveragents/application";
import {
  FencedError,
  isTerminal,
  type JsonObject,
  TaskNotFoundError,
  TaskStateError,
} from "@cleveragents/domain";
import type { CommandText, EventText, InboxText, SharedText } from "./command-text.ts";
import type { StoredTask } from "./stored-task.ts";

/** What a store has to know to decide a command. Answers include what earlier commands of the same group did. */
export interface TaskReads {
  task(taskId: string): StoredTask | undefined;
  isLogged(taskId: string, eventKey: string): boolean;
  isDocument(taskId: string, text: string): boolean;
  inboxEntry(taskId: string, key: string): { readonly body: string; readonly taken: boolean } | undefined;
  taskOfMessage(principal: string, messageId: string): string | undefined;
  /** 0 where it is not there. */
  sharedRevision(id: string): number;
}

export interface NumberedEvent extends EventText {
  readonly seq: number;
}

/** What a command does to a store: only what is new, so that an adapter writes it down without asking again. */
export interface Change {
  /** Undefined if the command makes the task. */
  readonly before: StoredTask | undefined;
  readonly after: StoredTask;
  readonly at: number;
  readonly events: readonly NumberedEvent[];
  readonly document: string | undefined;
  readonly added: readonly InboxText[];
  readonly taken: readonly string[];
  readonly claim: CommandText["claimMessage"];
  readonly shared: readonly SharedText[];
  /** False if everything that the command asks for is already so; then there is nothing to write. */
  readonly changed: boolean;
  readonly committed: Committed;
}

/** The rules of `TaskStore.commit`. Changes nothing; throws what the port says a command fails with. */
export function decide(command: CommandText, reads: TaskReads, now: number): Change {
  const before = reads.task(command.taskId);
  // A clock that was set back takes no task back in time.
  const at = Math.max(now, before?.updatedAt ?? now);
  const task = before === undefined ? created(command, at) : found(command, before);
  if (command.expect !== undefined && !holds(command.expect, task)) throw new FencedError(task.taskId);

  const { shared } = command;
  for (const { id, expect } of shared)
    if (reads.sharedRevision(id) !== expect) throw new SharedMovedError(id);

  // Before the events: a message that comes again is told so even if its task is finished by now.
  const claim = command.claimMessage;
  const owner = claim && reads.taskOfMessage(claim.principal, claim.messageId);
  if (claim !== undefined && owner !== undefined) throw new MessageSeenError(claim.messageId, owner);

  const events = numbered(
    command,
    task,
    before === undefined ? () => false : (key) => reads.isLogged(task.taskId, key),
  );
  const document =
    command.document === undefined ||
    (before !== undefined && reads.isDocument(task.taskId, command.document))
      ? undefined
      : command.document;
  const added = command.add.filter(fresh(task.taskId, reads));
  const taken = command.take.filter(
    (key, i, all) => all.indexOf(key) === i && isOpen(reads.inboxEntry(task.taskId, key), added, key),
  );
  const epoch = command.bumpEpoch === true ? task.epoch + 1 : task.epoch;
  // A run has claimed one epoch; the next epoch is nobody's until a run claims it.
  const runId = command.runId !== undefined ? command.runId : epoch === task.epoch ? task.runId : null;

  const changed =
    before === undefined ||
    shared.length > 0 ||
    claim !== undefined ||
    document !== undefined ||
    epoch !== task.epoch ||
    runId !== task.runId ||
    events.length + added.length + taken.length > 0;
  const after = changed
    ? { ...projected(task, events, at), epoch, runId, revision: task.revision + 1, updatedAt: at }
    : task;
  return {
    before,
    after,
    at,
    events,
    document,
    added,
    taken,
    claim,
    shared,
    changed,
    committed: {
      lastSeq: after.lastSeq,
      epoch: after.epoch,
      revision: after.revision,
      appended: events.length,
    },
  };
}

function created({ taskId, create }: CommandText, now: number): StoredTask {
  if (create === undefined) throw new TaskNotFoundError(taskId);
  return {
    taskId,
    contextId: create.contextId,
    principal: create.principal,
    kind: create.kind,
    state: "submitted",
    statusMessage: null,
    statusAt: now,
    createdAt: now,
    updatedAt: now,
    lastSeq: 0,
    epoch: 1,
    revision: 0,
    runId: null,
    referenceTaskIds: JSON.stringify(create.referenceTaskIds ?? []),
  };
}

function found(command: CommandText, task: StoredTask): StoredTask {
  if (command.create !== undefined) throw new TaskExistsError(task.taskId);
  return task;
}

function holds(expect: Expectation, task: StoredTask): boolean {
  return (
    (expect.epoch === undefined || expect.epoch === task.epoch) &&
    (expect.revision === undefined || expect.revision === task.revision) &&
    (expect.states === undefined || expect.states.includes(task.state)) &&
    (expect.runId === undefined || expect.runId === task.runId)
  );
}

/** The events that are new, with their sequence numbers. A terminal state ends the log, in the middle of a command too. */
function numbered(
  command: CommandText,
  task: StoredTask,
  isLogged: (key: string) => boolean,
): readonly NumberedEvent[] {
  const events: NumberedEvent[] = [];
  const keys = new Set<string>();
  let state = task.state;
  for (const event of command.events) {
    if (keys.has(event.key) || isLogged(event.key)) continue;
    if (isTerminal(state)) throw new TaskStateError(task.taskId, state, "its log takes nothing more");
    keys.add(event.key);
    state = event.state ?? state;
    events.push({ ...event, seq: task.lastSeq + events.length + 1 });
  }
  return events;
}

function projected(task: StoredTask, events: readonly NumberedEvent[], now: number): StoredTask {
  const status = events.findLast((event) => event.state !== null);
  return {
    ...task,
    lastSeq: task.lastSeq + events.length,
    ...(status?.state && { state: status.state, statusMessage: status.statusMessage, statusAt: now }),
  };
}

/** Lets entries through that are not there yet; the same body again is left out, another body is a conflict. */
function fresh(
  taskId: string,
  reads: TaskReads,
): (entry: InboxText, index: number, all: readonly InboxText[]) => boolean {
  return ({ key, body }, index, all) => {
    const there = all.slice(0, index).find((e) => e.key === key)?.body ?? reads.inboxEntry(taskId, key)?.body;
    if (there === undefined) return true;
    if (there === body || isDeepStrictEqual(JSON.parse(there), JSON.parse(body))) return false;
    throw new InboxConflictError(taskId, { key, body: JSON.parse(body) as JsonObject });
  };
}

function isOpen(
  entry: { readonly taken: boolean } | undefined,
  added: readonly InboxText[],
  key: string,
): boolean {
  return entry === undefined ? added.some((e) => e.key === key) : !entry.taken;
}
