import { each, inside, present } from "../json.ts";
import { toMessage } from "./message.ts";
import { toPart } from "./parts.ts";

/** The 0.3 proto spells one state with two L. */
const CANCELED = "TASK_STATE_CANCELED";
const CANCELLED = "TASK_STATE_CANCELLED";

export function toTask(task: unknown): unknown {
  return inside(task, ({ id, contextId, status, artifacts, history, metadata }) =>
    present({
      id,
      contextId,
      status: toStatus(status),
      artifacts: artifacts === undefined ? undefined : each(artifacts, toArtifact),
      history: history === undefined ? undefined : each(history, toMessage),
      metadata,
    }),
  );
}

export function toStatus(status: unknown): unknown {
  return inside(status, ({ state, message, timestamp }) =>
    present({ state: state === CANCELED ? CANCELLED : state, message: toMessage(message), timestamp }),
  );
}

export function toArtifact(artifact: unknown): unknown {
  return inside(artifact, ({ artifactId, name, description, parts, metadata, extensions }) =>
    present({ artifactId, name, description, parts: each(parts, toPart), metadata, extensions }),
  );
}
