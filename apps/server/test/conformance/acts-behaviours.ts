import { setTimeout as sleep } from "node:timers/promises";
import { type Message, type Part, textOf } from "@cleveragents/domain";
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
const bytes = (said: string): Part => ({
  kind: "bytes",
  bytes: Buffer.from(said).toString("base64"),
  filename: "output.txt",
  mediaType: "text/plain",
});

const behaviours: Readonly<Record<string, Behaviour>> = {
  "tck-complete-task": completing("Task completed."),
  "tck-input-required": ending("input-required", "What else?"),
  "tck-auth-required": ending("auth-required", "A credential is needed."),
  "tck-reject-task": ending("rejected", "Rejected."),
  "tck-message-response": { reply: text("Direct message response") },
  "tck-artifact-text": completing("Done.", words("Generated text content")),
  "tck-artifact-file": completing("Done.", bytes("output of the agent\n")),
  "tck-artifact-file-url": completing("Done.", {
    kind: "url",
    url: "https://example.com/output.txt",
    filename: "output.txt",
    mediaType: "text/plain",
  }),
  "tck-artifact-data": completing("Done.", { kind: "data", data: { key: "value", count: 42 } }),
  "tck-long-running": {
    async run({ signal }, log) {
      await log.status("working", text("Working on it."));
      await sleep(2000, undefined, { signal });
      await log.artifact({
        artifact: { artifactId: "answer", parts: text("What took long.") },
        lastChunk: true,
      });
      return { state: "completed", parts: text("Done.") };
    },
  },
  "tck-multi-turn": {
    run: async ({ message }) =>
      textOf(message).trim().toLowerCase() === "done"
        ? { state: "completed", parts: text("That was all.") }
        : { state: "input-required", parts: text("What else? Say done to end.") },
  },
  "tck-cancel": {
    async run({ signal }, log) {
      await log.status("working", text("Until somebody cancels."));
      await sleep(600_000, undefined, { signal });
      return { state: "completed" };
    },
  },
  "tck-stream-basic": streaming(words("Streamed text content")),
  "tck-stream-chunked": streaming(words("chunk-1 "), words("chunk-2 "), words("chunk-3")),
  "tck-task-failure": ending("failed", "It did not work."),
};

/** A2A's conformance corpus in YAML (ACTS): the first word of the text says what is to happen. */
export const actsBehaviours: FindBehaviour = (message, history) => {
  const first: Message = history[0] ?? message;
  const started = longestPrefix(behaviours, textOf(first));
  return started === behaviours["tck-multi-turn"] ? started : longestPrefix(behaviours, textOf(message));
};
