import type { DomainEvent, LoggedEvent } from "@cleveragents/domain";
import { type ResultOf, TASK_ARTIFACT_UPDATE, TASK_STATUS_UPDATE } from "@cleveragents/protocol";
import { toArtifact, toStatus } from "./dialects/v03/task.ts";
import { iso, toStreamResponse } from "./task.ts";

export type WireEvent = ResultOf<"_cleveragents/event/subscribe">;

export interface EventNotification {
  readonly method: "task/statusUpdate" | "task/artifactUpdate";
  readonly params: Extract<WireEvent, { readonly event_id: string }>;
}

/** The documents' notification of a log entry: its objects are those of A2A 0.3. */
export function toEventNotification(
  logged: LoggedEvent,
  contextId: string,
  final: boolean,
): EventNotification {
  const { event, taskId, seq, at } = logged;
  const response = toStreamResponse(logged, contextId);
  const frame = {
    event_id: `${taskId}:${seq}`,
    taskId,
    contextId,
    sequence: seq,
    timestamp: iso(at),
    ...domainMembers(event.domain),
  };
  if (event.type === "status") {
    const { status } = (response as Extract<typeof response, { statusUpdate: object }>).statusUpdate; // of a status
    const written = toStatus(status) as { readonly timestamp: string };
    return {
      method: "task/statusUpdate",
      params: {
        ...frame,
        event_type: TASK_STATUS_UPDATE,
        state: event.state,
        status: { ...written, state: event.state },
        ...(final ? { final } : {}),
      },
    };
  }
  const { artifact } = (response as Extract<typeof response, { artifactUpdate: object }>).artifactUpdate; // the other
  return {
    method: "task/artifactUpdate",
    params: {
      ...frame,
      event_type: TASK_ARTIFACT_UPDATE,
      artifact: toArtifact(artifact) as Record<string, never>, // an object goes in, one comes out
      append: event.append,
      lastChunk: event.lastChunk,
    },
  };
}

function domainMembers(event: DomainEvent | undefined) {
  return event === undefined ? {} : { event: event.name, ...(event.data && { data: event.data }) };
}
