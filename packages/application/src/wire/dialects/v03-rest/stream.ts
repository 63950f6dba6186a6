import type { StandardMethod } from "../dialect.ts";
import { inside, isObject, present } from "../json.ts";
import { endsStream } from "../stream-end.ts";
import { toMessage } from "./message.ts";
import { toArtifact, toStatus, toTask } from "./task.ts";

/** A 1.0 `StreamResponse`, or the result of `SendMessage`, under the same member here. */
export function toEvent(method: StandardMethod, element: unknown): unknown {
  return inside(element, ({ task, message, statusUpdate, artifactUpdate }) => {
    if (task !== undefined) return { task: toTask(task) };
    if (message !== undefined) return { message: toMessage(message) };
    if (isObject(statusUpdate)) {
      const { taskId, contextId, status, metadata } = statusUpdate;
      const final = endsStream(method, isObject(status) ? status["state"] : undefined);
      return { statusUpdate: present({ taskId, contextId, status: toStatus(status), final, metadata }) };
    }
    return {
      artifactUpdate: inside(artifactUpdate, ({ artifact, ...event }) => ({
        ...event,
        artifact: toArtifact(artifact),
      })),
    };
  });
}
