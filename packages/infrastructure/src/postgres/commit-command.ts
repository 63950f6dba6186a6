import {
  type Committed,
  InboxConflictError,
  MessageSeenError,
  SharedMovedError,
  TaskExistsError,
} from "@cleveragents/application";
import {
  FencedError,
  type JsonObject,
  TaskNotFoundError,
  type TaskState,
  TaskStateError,
} from "@cleveragents/domain";
import { fromColumnText, toColumnText } from "../schema/column-text.ts";
import type { CommandText } from "../schema/command-text.ts";

const text = toColumnText;

/** A command as the function `commit_command_1` takes it. Bodies are JSON text, which every column takes as it is. */
export function toServerCommand(command: CommandText): object {
  const { taskId, create, expect, claimMessage, events, add, take, shared, document, bumpEpoch, runId } =
    command;
  return {
    task: text(taskId),
    ...(create && {
      create: {
        context: text(create.contextId),
        principal: text(create.principal),
        kind: create.kind,
        references: JSON.stringify(create.referenceTaskIds ?? []),
      },
    }),
    ...(expect && { expect: toServerExpectation(expect) }),
    ...(claimMessage && {
      claim: { principal: text(claimMessage.principal), message: text(claimMessage.messageId) },
    }),
    events: events.map(({ key, body, state, statusMessage, messages, artifactId, replaces }) => ({
      key: text(key),
      body,
      ...(state !== null && { state, status: statusMessage }),
      messages,
      ...(artifactId !== null && { artifact: text(artifactId), replaces }),
    })),
    ...(document !== undefined && { document }),
    add: add.map(({ key, body }) => ({ key: text(key), body })),
    take: take.map(text),
    ...(shared.length > 0 && {
      shared: shared.map(({ id, expect: at, body }) => ({ id: text(id), expect: at, body })),
    }),
    ...(bumpEpoch === true && { bump: true }),
    ...(runId !== undefined && { run: runId === null ? null : text(runId) }),
  };
}

function toServerExpectation({ epoch, revision, states, runId }: NonNullable<CommandText["expect"]>): object {
  return {
    ...(epoch !== undefined && { epoch }),
    ...(revision !== undefined && { revision }),
    ...(states !== undefined && { states }),
    ...(runId !== undefined && { run: runId === null ? null : text(runId) }),
  };
}

export type ServerOutcome =
  | {
      readonly done: readonly [
        lastSeq: number,
        epoch: number,
        revision: number,
        appended: number,
        changed: boolean,
      ];
    }
  | { readonly refused: ServerRefusal }
  | { readonly failed: readonly [sqlState: string, message: string] };

type ServerRefusal =
  | readonly ["exists" | "unknown" | "fenced"]
  | readonly ["seen" | "over" | "moved", string]
  | readonly ["conflict", number];

/** Throws what the port says a command fails with. */
export function committedBy(outcome: ServerOutcome, command: CommandText): Committed {
  if ("done" in outcome) {
    const [lastSeq, epoch, revision, appended] = outcome.done;
    return { lastSeq, epoch, revision, appended };
  }
  if ("failed" in outcome) throw new Error(`the database refuses the command: ${outcome.failed.join(" ")}`);
  throw toError(outcome.refused, command);
}

function toError(refused: ServerRefusal, { taskId, add, claimMessage }: CommandText): Error {
  switch (refused[0]) {
    case "exists":
      return new TaskExistsError(taskId);
    case "unknown":
      return new TaskNotFoundError(taskId);
    case "fenced":
      return new FencedError(taskId);
    case "seen":
      return new MessageSeenError(claimMessage?.messageId ?? "", fromColumnText(refused[1]));
    case "moved":
      return new SharedMovedError(fromColumnText(refused[1]));
    case "over":
      return new TaskStateError(taskId, refused[1] as TaskState, "its log takes nothing more");
    case "conflict": {
      const { key = "", body = "{}" } = add[refused[1]] ?? {};
      return new InboxConflictError(taskId, { key, body: JSON.parse(body) as JsonObject });
    }
  }
}
