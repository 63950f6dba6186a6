import type { StandardMethod } from "../dialect.ts";
import { inside, isObject, type Json, present } from "../json.ts";
import { endsStream } from "../stream-end.ts";
import { toMessage } from "./message.ts";
import { toArtifact, toStatus, toTask } from "./task.ts";

/** A 1.0 `StreamResponse` as the bare 0.3 object, told by its `kind`. */
export function toEvent(method: StandardMethod, element: unknown): unknown {
  return inside(element, ({ task, message, statusUpdate, artifactUpdate }) => {
    if (task !== undefined) return toTask(task);
    if (message !== undefined) return toMessage(message);
    if (isObject(statusUpdate)) return toStatusUpdate(method, statusUpdate);
    return inside(artifactUpdate, toArtifactUpdate);
  });
}

function toStatusUpdate(method: StandardMethod, { taskId, contextId, status, metadata }: Json): unknown {
  const final = endsStream(method, isObject(status) ? status["state"] : undefined);
  return present({ kind: "status-update", taskId, contextId, status: toStatus(status), final, metadata });
}

function toArtifactUpdate({ taskId, contextId, artifact, append, lastChunk, metadata }: Json): unknown {
  return present({
    kind: "artifact-update",
    taskId,
    contextId,
    artifact: toArtifact(artifact),
    append,
    lastChunk,
    metadata,
  });
}
