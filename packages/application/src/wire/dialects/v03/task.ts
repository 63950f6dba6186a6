import { each, inside, inverse, present } from "../json.ts";
import { toMessage } from "./message.ts";
import { toPart } from "./parts.ts";

/** States by their 0.3 word. Its `unknown` has no 1.0 state that we are ever in. */
export const STATES = {
  submitted: "TASK_STATE_SUBMITTED",
  working: "TASK_STATE_WORKING",
  "input-required": "TASK_STATE_INPUT_REQUIRED",
  completed: "TASK_STATE_COMPLETED",
  canceled: "TASK_STATE_CANCELED",
  failed: "TASK_STATE_FAILED",
  rejected: "TASK_STATE_REJECTED",
  "auth-required": "TASK_STATE_AUTH_REQUIRED",
} as const;
const STATE_WORDS: Readonly<Record<string, string>> = inverse(STATES);

export function toTask(task: unknown): unknown {
  return inside(task, ({ id, contextId, status, artifacts, history, metadata }) =>
    present({
      kind: "task",
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
    present({ state: STATE_WORDS[state as string] ?? "unknown", message: toMessage(message), timestamp }),
  );
}

export function toArtifact(artifact: unknown): unknown {
  return inside(artifact, ({ artifactId, name, description, parts, metadata, extensions }) =>
    present({ artifactId, name, description, parts: each(parts, toPart), metadata, extensions }),
  );
}
