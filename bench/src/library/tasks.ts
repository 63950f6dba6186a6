import type { Command } from "@cleveragents/application";
import type { TaskEvent } from "@cleveragents/domain";

type Events = NonNullable<Command["events"]>;

/** A finished task with a question, an answer and one artifact: some 900 bytes on the wire. */
export const SMALL_TASK_EVENTS: Events = [
  {
    key: "begin",
    event: {
      type: "status",
      state: "working",
      received: {
        messageId: "question",
        role: "user",
        parts: [{ kind: "text", text: "How many planets are there?" }],
      },
    },
  },
  {
    key: "answer",
    event: {
      type: "artifact",
      artifact: {
        artifactId: "answer",
        name: "Answer",
        parts: [{ kind: "text", text: "Eight, since 2006." }],
      },
      append: false,
      lastChunk: true,
    },
  },
  {
    key: "end",
    event: {
      type: "status",
      state: "completed",
      message: { messageId: "done", role: "agent", parts: [{ kind: "text", text: "Answered." }] },
    },
  },
];

/** What one update carries. */
export function chunkText(n: number): string {
  return `${n}: ${"lorem ipsum ".repeat(8)}`;
}

/** One more piece of an artifact, some 200 bytes as an event. */
export function chunk(n: number): TaskEvent {
  return {
    type: "artifact",
    artifact: { artifactId: "output", parts: [{ kind: "text", text: chunkText(n) }] },
    append: true,
    lastChunk: false,
  };
}

/** Messages whose id begins so are answered at once. */
export const TRIVIAL = "trivial-";
export const TRIVIAL_ANSWER = "done";
