import { setTimeout as sleep } from "node:timers/promises";
import type { Part } from "@cleveragents/domain";
import {
  type Behaviour,
  completing,
  ending,
  type FindBehaviour,
  longestPrefix,
  streaming,
  text,
} from "./behaviour.ts";

const words = (said: string): Part => ({ kind: "text", text: said });
const output = { filename: "output.txt", mediaType: "text/plain" };
const file: Part = {
  kind: "bytes",
  bytes: Buffer.from("output of the agent\n").toString("base64"),
  ...output,
};
const link: Part = { kind: "url", url: "https://example.com/output.txt", ...output };
const data: Part = { kind: "data", data: { key: "value", count: 42 } };

/** A task that can be left and followed again: longer than the kit's clients wait for the next event. */
function lasting(seconds: number): Behaviour {
  return {
    async run({ signal }, log) {
      await log.status("working", text("This takes a while."));
      await sleep(seconds * 1000, undefined, { signal });
      return { state: "completed", parts: text("Done.") };
    },
  };
}

/** A2A's test kit, either line of it: the beginning of the messageId says what is to happen (its `scenarios/`). */
export function tckBehaviours(streamingTimeoutSeconds: number): FindBehaviour {
  const behaviours: Readonly<Record<string, Behaviour>> = {
    "tck-complete-task": completing("Hello from TCK"),
    "tck-artifact-text": completing("Done.", words("Generated text content")),
    "tck-artifact-file": completing("Done.", file),
    "tck-artifact-file-url": completing("Done.", link),
    "tck-artifact-data": completing("Done.", data),
    "tck-message-response": { reply: text("Direct message response") },
    "tck-input-required": ending("input-required", "What else?"),
    "tck-reject-task": ending("rejected", "rejected"),
    "tck-stream-001": streaming(words("Stream hello from TCK")),
    "tck-stream-002": ending("completed", "Done."),
    "tck-stream-003": streaming(words("Stream task lifecycle")),
    "tck-stream-ordering-001": streaming(words("Ordered output")),
    "tck-stream-artifact-text": streaming(words("Streamed text content")),
    "tck-stream-artifact-file": streaming(file),
    "tck-stream-artifact-chunked": streaming(words("chunk-1 "), words("chunk-2")),
    "test-resubscribe-message-id": lasting(2 * streamingTimeoutSeconds + 1),
  };
  return ({ messageId }) => longestPrefix(behaviours, messageId);
}
