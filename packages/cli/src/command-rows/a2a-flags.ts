import type { Flags } from "../command/command-row.ts";

/** Flags of every command that speaks to any agent. Some stand in for a flag of all commands, with another meaning. */
export const agentFlags = {
  "agent-card": {
    type: "string",
    short: "a",
    value: "REF",
    summary: "the agent: its address, that of its card, or a file",
    env: "A2ACLI_AGENT_CARD",
  },
  bearer: {
    type: "string",
    value: "TOKEN",
    summary: "a token; others can see flags, not the variable",
    env: "A2ACLI_BEARER",
  },
  "api-key": {
    type: "string",
    value: "KEY",
    summary: "an API key; the same holds",
    env: "A2ACLI_API_KEY",
  },
  "svc-param": {
    type: "list",
    value: "NAME:VALUE",
    summary: "a service parameter, sent as a header; repeatable",
    env: "A2ACLI_SVC_PARAM",
  },
  "a2a-version": {
    type: "string",
    value: "V",
    choices: ["1.0", "0.3"],
    default: "1.0",
    summary: "the version to speak",
    env: "A2ACLI_A2A_VERSION",
  },
  config: {
    type: "string",
    value: "FILE",
    default: "nearest .env, ~/.config/a2a-cli/.env",
    summary: "settings, A2ACLI_NAME=value",
  },
  insecure: {
    type: "boolean",
    default: "they are verified",
    summary: "verify no certificates",
    env: "A2ACLI_INSECURE",
  },
  timeout: {
    type: "string",
    value: "DURATION",
    default: "none",
    summary: "at most so long, e.g. 30s or 5m",
    env: "A2ACLI_TIMEOUT",
  },
} as const satisfies Flags;

/** Of the commands that call an operation. */
export const callFlags = {
  ...agentFlags,
  transport: {
    type: "list",
    value: "BINDING",
    default: "the card's",
    summary: "JSONRPC or HTTP+JSON; repeatable",
    env: "A2ACLI_TRANSPORT",
  },
} as const satisfies Flags;

/** Of those that wait for a task. */
export const waitFlags = {
  "poll-interval": {
    type: "string",
    value: "DURATION",
    default: "2s",
    summary: "how often to look",
    env: "A2ACLI_POLL_INTERVAL",
  },
} as const satisfies Flags;

export const streamFlag = {
  stream: {
    type: "boolean",
    default: "one result",
    summary: "show each event as it comes; with -o json one line each",
  },
} as const satisfies Flags;

/** Where there is nothing to follow: only the form of the JSON. */
export const linesFlag = {
  stream: { type: "boolean", summary: "with -o json, one line for each task" },
} as const satisfies Flags;

export const metadataFlag = {
  metadata: { type: "string", value: "JSON", summary: `metadata of the request, e.g. '{"k":"v"}'` },
} as const satisfies Flags;

export const historyFlag = {
  history: { type: "string", value: "N", summary: "at most so many messages of the task's history" },
} as const satisfies Flags;
