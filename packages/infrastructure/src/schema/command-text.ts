import type { Command, NewTask } from "@cleveragents/application";
import type { JsonObject, TaskState } from "@cleveragents/domain";

/** An event as it will be stored, and what the projection needs of it, so that nobody has to parse it again. */
export interface EventText {
  readonly key: string;
  readonly body: string;
  /** Of a status event; null for an artifact. */
  readonly state: TaskState | null;
  readonly statusMessage: string | null;
  readonly messages: number;
  readonly artifactId: string | null;
  /** Whether what was logged of the artifact before is replaced. */
  readonly replaces: boolean;
}
export interface SharedText {
  readonly id: string;
  readonly expect: number;
  readonly body: string;
}
export interface InboxText {
  readonly key: string;
  readonly body: string;
}

/**
 * A command as it was at the moment it was handed in: its JSON is text, so that what the caller does with the
 * objects afterwards changes nothing. `size` is about how much text it holds.
 */
export interface CommandText
  extends Pick<Command, "taskId" | "expect" | "bumpEpoch" | "runId" | "claimMessage"> {
  readonly create: NewTask | undefined;
  readonly events: readonly EventText[];
  readonly document: string | undefined;
  readonly add: readonly InboxText[];
  readonly take: readonly string[];
  readonly shared: readonly SharedText[];
  readonly size: number;
}

type NewEvent = NonNullable<Command["events"]>[number];

/** Throws what `JSON.stringify` throws for values that are no JSON. */
export function toCommandText(command: Command): CommandText {
  const events = command.events?.map(toEventText) ?? [];
  const document = command.document === undefined ? undefined : toJson(command.document);
  const add = command.inbox?.add?.map(({ key, body }) => ({ key, body: toJson(body) })) ?? [];
  const shared =
    command.shared?.map(({ id, expect: at, body }) => ({ id, expect: at, body: toJson(body) })) ?? [];
  const { taskId, create, expect, claimMessage, bumpEpoch, runId } = command;
  return {
    taskId,
    create: create && { ...create, referenceTaskIds: [...(create.referenceTaskIds ?? [])] },
    ...(expect && { expect: { ...expect, ...(expect.states && { states: [...expect.states] }) } }),
    ...(claimMessage && { claimMessage: { ...claimMessage } }),
    ...(bumpEpoch !== undefined && { bumpEpoch }),
    ...(runId !== undefined && { runId }),
    events,
    document,
    add,
    take: [...(command.inbox?.take ?? [])],
    shared,
    size: [...events, ...add, ...shared].reduce((sum, { body }) => sum + body.length, document?.length ?? 0),
  };
}

function toEventText({ key, event }: NewEvent): EventText {
  const body = JSON.stringify(event);
  if (event.type === "artifact") {
    const { artifact, append } = event;
    const artifactId = artifact.artifactId;
    return { key, body, state: null, statusMessage: null, messages: 0, artifactId, replaces: !append };
  }
  const { state, message, received } = event;
  return {
    key,
    body,
    state,
    statusMessage: message === undefined ? null : JSON.stringify(message),
    messages: (message === undefined ? 0 : 1) + (received === undefined ? 0 : 1),
    artifactId: null,
    replaces: false,
  };
}

function toJson(value: JsonObject): string {
  return JSON.stringify(value);
}
