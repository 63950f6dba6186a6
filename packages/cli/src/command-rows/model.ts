import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";
import { NAME } from "./reused-specs.ts";

/** What models can do, and what they have used. */
export const modelRows = {
  "_cleveragents/registry/actor/test": {
    path: ["actor", "test"],
    summary: "What an actor's model can do.",
    details:
      "Asks the model a few short questions: whether it answers, streams, calls tools, keeps to JSON, says what it\n" +
      "used. Exit code 1 when it is of no use for plans.",
    positionals: [NAME],
    examples: [
      { command: "agents actor test local/coder" },
      { command: "agents actor test ollama/qwen2.5-coder:7b -o json" },
    ],
    seeAlso: ["actor add", "usage"],
    load: () => import("../commands/actor-test.ts"),
  },
  "_cleveragents/usage/show": {
    path: ["usage"],
    summary: "Tokens and cost of models.",
    details: "Everything of yours that is stored, or of one plan, one session, one model.",
    flags: {
      plan: { type: "string", value: "ID", summary: "one plan" },
      session: { type: "string", value: "ID", summary: "all plans and messages of one session" },
      model: { type: "string", value: "M", summary: "one model, provider/model" },
    },
    examples: [{ command: "agents usage" }, { command: "agents usage --session 01K5 --model openai/gpt-4o" }],
    seeAlso: ["plan status", "actor test"],
    load: () => import("../commands/usage-show.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
