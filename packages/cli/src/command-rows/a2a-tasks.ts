import type { CommandRow } from "../command/command-row.ts";
import { callFlags, historyFlag, linesFlag, metadataFlag, streamFlag, waitFlags } from "./a2a-flags.ts";

const TASK = { name: "TASK", summary: "the task's id" } as const;
const CONFIG = { name: "CONFIG", summary: "the configuration's id" } as const;
const EXAMPLE_ID = "7d1c1f0e";
const seeAlso = ["help any-agent", "help exit-codes"];

/** Tasks of any A2A agent (a2a-cli §7.1). */
export const a2aTaskCommands: readonly CommandRow[] = [
  {
    path: ["a2a", "task", "get"],
    summary: "A task of any A2A agent, and what it has made.",
    positionals: [TASK],
    flags: {
      ...callFlags,
      ...waitFlags,
      wait: {
        type: "boolean",
        default: "as it is now",
        summary: "ask until the task has ended or waits for you",
      },
      watch: { type: "boolean", summary: "the same as --wait" },
      ...historyFlag,
      ...linesFlag,
    },
    examples: [
      { command: `agents a2a task get -a https://agents.example ${EXAMPLE_ID}` },
      { command: `agents a2a task get -a https://agents.example ${EXAMPLE_ID} --wait --timeout 10m -o json` },
    ],
    seeAlso,
    load: () => import("../commands/a2a-task-get.ts"),
  },
  {
    path: ["a2a", "task", "list"],
    summary: "The tasks of any A2A agent, newest first.",
    flags: {
      ...callFlags,
      "context-id": {
        type: "string",
        value: "ID",
        summary: "of this context alone",
        env: "A2ACLI_CONTEXT_ID",
      },
      status: { type: "string", value: "STATE", summary: "in this state alone, e.g. working" },
      since: { type: "string", value: "TIME", summary: "whose state is newer, e.g. 2026-01-31T12:00:00Z" },
      artifacts: { type: "boolean", summary: "with what they have made" },
      ...historyFlag,
      "page-size": { type: "number", value: "N", summary: "at most so many" },
      "page-token": { type: "string", value: "TOKEN", summary: "the page that another one has named" },
      ...linesFlag,
    },
    examples: [
      { command: "agents a2a task list -a https://agents.example" },
      { command: "agents a2a task list -a https://agents.example --status input-required -o json" },
    ],
    seeAlso,
    load: () => import("../commands/a2a-task-list.ts"),
  },
  {
    path: ["a2a", "task", "cancel"],
    summary: "Ask any A2A agent to stop a task.",
    positionals: [TASK],
    flags: { ...callFlags, ...metadataFlag, ...linesFlag },
    examples: [{ command: `agents a2a task cancel -a https://agents.example ${EXAMPLE_ID}` }],
    seeAlso,
    load: () => import("../commands/a2a-task-cancel.ts"),
  },
  {
    path: ["a2a", "task", "subscribe"],
    summary: "Follow a task of any A2A agent until it has ended or waits for you.",
    details:
      "A stream that is lost is taken up again; where the agent does not stream, it is asked again and again.\n" +
      "Without --stream, stdout gets the task as it is in the end.",
    positionals: [TASK],
    flags: { ...callFlags, ...waitFlags, ...streamFlag },
    examples: [
      { command: `agents a2a task subscribe -a https://agents.example ${EXAMPLE_ID} --stream` },
      { command: `agents a2a task subscribe -a https://agents.example ${EXAMPLE_ID} --stream -o json` },
    ],
    seeAlso,
    load: () => import("../commands/a2a-task-subscribe.ts"),
  },
  {
    path: ["a2a", "task", "download"],
    summary: "Save what a task of any A2A agent has made.",
    details:
      "Files keep their names, texts and data get one of their artifact's. Nothing is written outside of DIR.\n" +
      "What the agent only links to is named and not fetched.",
    positionals: [TASK],
    flags: {
      ...callFlags,
      dir: { type: "string", value: "DIR", default: "this folder", summary: "where to" },
      artifact: {
        type: "list",
        value: "ID",
        default: "all",
        summary: "this one, by id or name; may be repeated",
      },
      force: { type: "boolean", summary: "replace what is there" },
    },
    examples: [{ command: `agents a2a task download -a https://agents.example ${EXAMPLE_ID} --dir out` }],
    seeAlso,
    load: () => import("../commands/a2a-task-download.ts"),
  },
  {
    path: ["a2a", "task", "push-config", "create"],
    summary: "Have any A2A agent post a task's events to an address.",
    positionals: [TASK],
    flags: {
      ...callFlags,
      url: { type: "string", value: "URL", summary: "where the agent posts to" },
      id: { type: "string", value: "ID", default: "the agent's choice", summary: "the configuration's id" },
      token: { type: "string", value: "T", summary: "what the agent sends along, so that it is known there" },
      "auth-scheme": {
        type: "string",
        value: "S",
        summary: "how the agent authenticates there, e.g. Bearer",
      },
      "auth-credentials": { type: "string", value: "C", summary: "with what" },
    },
    examples: [
      {
        command: `agents a2a task push-config create -a https://agents.example ${EXAMPLE_ID} --url https://me.example/h`,
      },
    ],
    seeAlso,
    load: () => import("../commands/a2a-push-config-create.ts"),
  },
  {
    path: ["a2a", "task", "push-config", "get"],
    summary: "One address that any A2A agent posts a task's events to.",
    positionals: [TASK, CONFIG],
    flags: callFlags,
    examples: [{ command: `agents a2a task push-config get -a https://agents.example ${EXAMPLE_ID} hook-1` }],
    seeAlso,
    load: () => import("../commands/a2a-push-config-get.ts"),
  },
  {
    path: ["a2a", "task", "push-config", "list"],
    summary: "The addresses that any A2A agent posts a task's events to.",
    positionals: [TASK],
    flags: callFlags,
    examples: [{ command: `agents a2a task push-config list -a https://agents.example ${EXAMPLE_ID}` }],
    seeAlso,
    load: () => import("../commands/a2a-push-config-list.ts"),
  },
  {
    path: ["a2a", "task", "push-config", "delete"],
    summary: "Have any A2A agent post no more to an address.",
    positionals: [TASK, CONFIG],
    flags: callFlags,
    examples: [
      { command: `agents a2a task push-config delete -a https://agents.example ${EXAMPLE_ID} hook-1` },
    ],
    seeAlso,
    load: () => import("../commands/a2a-push-config-delete.ts"),
  },
];
