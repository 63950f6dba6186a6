import type { CommandRow } from "../command/command-row.ts";
import { a2aAuthCommands } from "./a2a-auth.ts";
import { agentFlags, callFlags, metadataFlag, streamFlag, waitFlags } from "./a2a-flags.ts";
import { a2aTaskCommands } from "./a2a-tasks.ts";

/** Commands that speak to any A2A agent, as the a2a-cli specification has them; they belong to no method of ours. */
export const a2aCommands: readonly CommandRow[] = [
  {
    path: ["a2a", "card", "get"],
    summary: "The card of any A2A agent.",
    details:
      "AGENT is an agent's address, that of its card, or a file. stdout gets the card as it came.\n" +
      "--validate holds it against the schema of each version of A2A that it is of, and checks its signature\n" +
      "with the keys in FILE, else with those that the signature names.",
    positionals: [
      {
        name: "AGENT",
        summary: "https://agents.example, an address of a card, or ./card.json",
        optional: true,
      },
    ],
    flags: {
      ...agentFlags,
      validate: { type: "boolean", summary: "check schema and signature; exit code 1 if one is wrong" },
      key: { type: "string", value: "FILE", summary: "public keys to trust: JWK, JWKS or PEM" },
      extended: { type: "boolean", summary: "the card for known callers, with a credential" },
    },
    examples: [
      { command: "agents a2a card get https://agents.example" },
      { command: "agents a2a card get https://agents.example --validate -o json" },
      { command: "agents a2a card get http://localhost:8000 --extended --bearer TOKEN" },
    ],
    seeAlso: ["help any-agent", "help exit-codes"],
    load: () => import("../commands/a2a-card-get.ts"),
  },
  {
    path: ["a2a", "send"],
    summary: "Send a message to any A2A agent.",
    details:
      "Waits until the task has ended or waits for you, and prints what it has made. The exit code says whether the\n" +
      "command did its job, not how the task ended: that is in its state. Parts keep their order; TEXT is the first,\n" +
      'and "-" reads it from stdin. The ids that are printed go on with --task-id and --context-id.',
    positionals: [{ name: "TEXT", summary: 'what to say; "-" reads stdin', optional: true }],
    flags: {
      ...callFlags,
      text: { type: "list", value: "T", summary: "a text part; may be repeated, as the next two" },
      file: {
        type: "list",
        value: "PATH|URL",
        summary: "a file; one at an address is left for the agent to fetch",
      },
      data: { type: "list", value: "FILE", summary: 'JSON from a file, or "-" for stdin' },
      "media-type": { type: "list", value: "TYPE", summary: "of the part just before" },
      "context-id": {
        type: "string",
        value: "ID",
        summary: "a new task beside those of this context",
        env: "A2ACLI_CONTEXT_ID",
      },
      "task-id": {
        type: "string",
        value: "ID",
        summary: "go on with this task, e.g. answer it",
        env: "A2ACLI_TASK_ID",
      },
      "message-id": { type: "string", value: "ID", default: "a new one", summary: "to send a message again" },
      ...metadataFlag,
      wait: { type: "boolean", default: "yes", summary: "wait for the task's end" },
      async: { type: "boolean", summary: "do not wait: print the ids and leave", env: "A2ACLI_ASYNC" },
      "no-wait": { type: "boolean", summary: "the same as --async" },
      "return-immediately": { type: "boolean", summary: "the same as --async" },
      ...waitFlags,
      ...streamFlag,
    },
    examples: [
      { command: 'agents a2a send -a https://agents.example "How long is the Rhine?"' },
      { command: 'agents a2a send -a https://agents.example --text "Sum this up" --file report.pdf -o json' },
      { command: 'agents a2a send -a https://agents.example "Write a poem" --stream' },
      { command: 'agents a2a send -a https://agents.example --task-id 7d1c1f0e "Yes, go on"' },
    ],
    seeAlso: ["help any-agent", "help exit-codes"],
    load: () => import("../commands/a2a-send.ts"),
  },
  ...a2aTaskCommands,
  ...a2aAuthCommands,
  {
    path: ["a2a", "config", "show"],
    summary: "The settings of agents a2a, and where each is from.",
    details:
      "A flag goes before a variable, that before the nearest .env, that before ~/.config/a2a-cli/.env.",
    flags: { ...callFlags, ...waitFlags },
    examples: [
      { command: "agents a2a config show" },
      { command: "agents a2a config show --config ./agent.env -o json" },
    ],
    seeAlso: ["help any-agent"],
    load: () => import("../commands/a2a-config-show.ts"),
  },
];
