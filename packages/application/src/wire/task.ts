import type { DomainEvent, JsonObject, LoggedEvent, TaskState } from "@cleveragents/domain";
import { PLATFORM_EXTENSION, type ResultOf, type TASK_STATE_NAMES } from "@cleveragents/protocol";
import type { TaskRow, TaskSnapshot } from "../ports/task-store.ts";
import { compact, toWireArtifact, toWireMessage } from "./message.ts";

export type WireTask = ResultOf<"GetTask">;
export type WireTaskState = (typeof TASK_STATE_NAMES)[number];
export type WireStreamResponse = ResultOf<"SubscribeToTask">;

const STATE_NAMES = {
  submitted: "TASK_STATE_SUBMITTED",
  working: "TASK_STATE_WORKING",
  "input-required": "TASK_STATE_INPUT_REQUIRED",
  "auth-required": "TASK_STATE_AUTH_REQUIRED",
  completed: "TASK_STATE_COMPLETED",
  failed: "TASK_STATE_FAILED",
  canceled: "TASK_STATE_CANCELED",
  rejected: "TASK_STATE_REJECTED",
} as const satisfies Record<TaskState, WireTaskState>;
const STATES = new Map(Object.entries(STATE_NAMES).map(([state, name]) => [name, state as TaskState]));

export function toWireTaskState(state: TaskState): WireTaskState {
  return STATE_NAMES[state];
}

export function fromWireTaskState(name: WireTaskState): TaskState {
  return STATES.get(name) as TaskState; // the schema has checked the name
}

export interface TaskParts {
  readonly history?: boolean;
  readonly artifacts?: boolean;
  /** Added to the task's own metadata. */
  readonly metadata?: JsonObject;
}

/** A2A 1.0 Task (§4.1.1) of a snapshot; what is not asked for is absent, not empty. */
export function toWireTask(
  snapshot: TaskSnapshot,
  parts: TaskParts = { history: true, artifacts: true },
): WireTask {
  const { row } = snapshot;
  return {
    id: row.taskId,
    contextId: row.contextId,
    status: {
      state: STATE_NAMES[row.state],
      ...(row.statusMessage === null ? {} : { message: toWireMessage(row.statusMessage) }),
      timestamp: iso(row.statusAt),
    },
    ...(parts.artifacts === true && snapshot.artifacts.length > 0
      ? { artifacts: snapshot.artifacts.map(toWireArtifact) }
      : {}),
    ...(parts.history === true && snapshot.history.length > 0
      ? { history: snapshot.history.map(toWireMessage) }
      : {}),
    ...withMetadata({ ...planMetadata(row), ...parts.metadata }),
  };
}

/** The one A2A event of a log entry (A2A §4.2); the domain event rides in its metadata. */
export function toStreamResponse(logged: LoggedEvent, contextId: string): WireStreamResponse {
  const { event, taskId } = logged;
  const metadata = withMetadata(domainMetadata(event.domain));
  if (event.type === "status") {
    return {
      statusUpdate: {
        taskId,
        contextId,
        status: {
          state: STATE_NAMES[event.state],
          ...(event.message === undefined ? {} : { message: toWireMessage(event.message) }),
          timestamp: iso(logged.at),
        },
        ...metadata,
      },
    };
  }
  return {
    artifactUpdate: {
      taskId,
      contextId,
      artifact: toWireArtifact(event.artifact),
      ...compact({ append: event.append, lastChunk: event.lastChunk }),
      ...metadata,
    },
  };
}

function domainMetadata(event: DomainEvent | undefined): JsonObject {
  return event === undefined ? {} : { [PLATFORM_EXTENSION]: { event: event.name, ...event.data } };
}

function planMetadata(row: TaskRow): JsonObject {
  const stage = row.document?.["stage"];
  if (row.kind !== "plan" || typeof stage !== "object" || stage === null || Array.isArray(stage)) return {};
  return {
    [PLATFORM_EXTENSION]: { plan_id: row.taskId, action: row.document?.["action"] ?? null, ...stage },
  };
}

function withMetadata(metadata: JsonObject): { metadata?: JsonObject } {
  return Object.keys(metadata).length === 0 ? {} : { metadata };
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
