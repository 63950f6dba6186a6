import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow, PositionalSpec } from "../command/command-row.ts";
import { PAGE } from "./reused-specs.ts";

const SESSION: PositionalSpec = { name: "ID", summary: "the session's id" };

export const sessionRows = {
  "session.create": {
    path: ["a2a", "session", "create"],
    aliases: [["session", "create"]],
    summary: "Open a session.",
    flags: {
      actor: { type: "string", value: "A", summary: "the actor that messages of the session go to" },
      "session-id": {
        type: "string",
        value: "S",
        summary: "an id of your own; the same one again is the same session",
      },
      name: { type: "string", value: "N", summary: "what lists call it" },
      budget: {
        type: "list",
        value: "K=N",
        summary: "what its work may use up together: tool_calls, cost_usd, tokens, seconds",
      },
      "max-cost": { type: "number", value: "USD", summary: "the same as --budget cost_usd=USD" },
    },
    examples: [
      { command: "agents session create --actor local/helper" },
      { command: "agents session create --session-id nightly", comment: "the same session every time" },
    ],
    seeAlso: ["session list", "session close"],
    load: () => import("../commands/session-create.ts"),
  },
  "_cleveragents/session/list": {
    path: ["a2a", "session", "list"],
    aliases: [["session", "list"]],
    summary: "Your sessions, newest first.",
    flags: PAGE,
    examples: [{ command: "agents session list" }, { command: "agents session list -o json" }],
    seeAlso: ["session create"],
    load: () => import("../commands/session-list.ts"),
  },
  "session.close": {
    path: ["a2a", "session", "close"],
    aliases: [["session", "close"]],
    summary: "Close a session.",
    details:
      "What was said in it and is not answered yet is cancelled. Its plans go on without it, unless --cancel-plans.",
    positionals: [SESSION],
    flags: { "cancel-plans": { type: "boolean", summary: "cancel its plans that are not over" } },
    examples: [
      { command: "agents session close nightly" },
      { command: "agents session close nightly --cancel-plans" },
    ],
    seeAlso: ["session list", "session delete"],
    load: () => import("../commands/session-close.ts"),
  },
  "_cleveragents/session/show": {
    path: ["session", "show"],
    summary: "A session: its state, budget, newest messages and plans.",
    positionals: [SESSION],
    flags: { messages: { type: "number", value: "N", summary: "how many of the newest messages; 20" } },
    examples: [{ command: "agents session show nightly" }],
    seeAlso: ["session tell"],
    load: () => import("../commands/session-show.ts"),
  },
  "_cleveragents/session/tell": {
    path: ["session", "tell"],
    summary: "Say something in a session and wait for the answer.",
    details:
      "The message is what follows the id, what stdin has (-), or a file. One session answers one after the other.",
    positionals: [
      SESSION,
      { name: "MESSAGE", summary: "what to say; - reads it from stdin", optional: true, many: true },
    ],
    flags: {
      file: { type: "string", value: "F", summary: "say what is in this file" },
      task: { type: "string", value: "T", summary: "the task whose question this answers" },
      project: {
        type: "string",
        value: "P",
        summary: "of the plan, where the session's actor is an action (default: that of this folder)",
      },
      stream: {
        type: "boolean",
        summary: "show the answer while it comes; with -o json a line for each event",
      },
      "no-wait": { type: "boolean", summary: "return as soon as the message is taken in" },
      "message-id": {
        type: "string",
        value: "M",
        summary: "an id of your own; the same one again is the same message",
      },
    },
    examples: [
      { command: "agents session tell nightly what failed last night?" },
      { command: "agents session tell nightly --stream --file question.md" },
      { command: "agents session tell nightly -", comment: "what is piped into it" },
    ],
    seeAlso: ["session show"],
    load: () => import("../commands/session-tell.ts"),
  },
  "_cleveragents/session/delete": {
    path: ["session", "delete"],
    summary: "Delete a closed session and what was said in it; its plans stay.",
    positionals: [SESSION],
    flags: {
      force: { type: "boolean", summary: "close it and cancel its plans first, and do not ask" },
    },
    examples: [
      { command: "agents session delete nightly --yes" },
      { command: "agents session delete nightly --force", comment: "whatever goes on in it" },
    ],
    seeAlso: ["session close", "session export"],
    load: () => import("../commands/session-delete.ts"),
  },
  "_cleveragents/session/export": {
    path: ["session", "export"],
    summary: "A session as a document with a checksum, on stdout.",
    positionals: [SESSION],
    examples: [{ command: "agents session export nightly", comment: "into a file: > nightly.json" }],
    seeAlso: ["session import"],
    load: () => import("../commands/session-export.ts"),
  },
  "_cleveragents/session/import": {
    path: ["session", "import"],
    summary: "Make a session of an exported document.",
    positionals: [{ name: "FILE", summary: "an exported session; - reads it from stdin" }],
    flags: {
      actor: { type: "string", value: "A", summary: "another actor than the document names" },
      name: { type: "string", value: "N", summary: "another name" },
      "keep-id": {
        type: "boolean",
        summary: "import nothing where the id is taken, instead of taking another",
      },
    },
    examples: [{ command: "agents session import nightly.json" }],
    seeAlso: ["session export"],
    load: () => import("../commands/session-import.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
