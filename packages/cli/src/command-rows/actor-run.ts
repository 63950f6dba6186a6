import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";
import { NAME } from "./reused-specs.ts";

export const actorRunRows = {
  "_cleveragents/registry/actor/run": {
    path: ["actor", "run"],
    summary: "Say something to an actor once, and wait for the answer.",
    details:
      "The message is what follows the name, what stdin has (-), or a file. An actor that may do what cannot be undone\n" +
      "does it with --unsafe alone. In a session the actor remembers what was said: agents session create --actor NAME.",
    positionals: [
      NAME,
      { name: "MESSAGE", summary: "what to say; - reads it from stdin", optional: true, many: true },
    ],
    flags: {
      file: { type: "string", value: "F", summary: "say what is in this file" },
      task: { type: "string", value: "T", summary: "the task whose question this answers" },
      stream: { type: "boolean", summary: "show the answer while it comes" },
      "no-wait": { type: "boolean", summary: "return as soon as the message is taken in" },
      unsafe: { type: "boolean", summary: "it may do what cannot be undone" },
      "message-id": {
        type: "string",
        value: "M",
        summary: "an id of your own; the same one again is the same message",
      },
    },
    examples: [
      { command: "agents actor run local/reviewer what do you think of this plan?" },
      { command: "agents actor run local/reviewer --stream -", comment: "what is piped into it" },
    ],
    seeAlso: ["session tell", "actor test"],
    load: () => import("../commands/actor-run.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
