import type { CommandRow, PositionalSpec } from "../command/command-row.ts";

const KEY: PositionalSpec = { name: "KEY", summary: "such as core.format; agents config list shows them" };
const PROJECT = {
  "in-project": { type: "boolean", summary: "in .cleveragents.toml of this folder, not in your own file" },
} as const;
const LAYERS = `A flag wins over a variable, a variable over the project's file (.cleveragents.toml, here or above),
that over yours (~/.cleveragents/config.toml, or what CLEVERAGENTS_CONFIG names), and yours over what is
built in. A project's file cannot say whom you speak to, or with which credential.`;

/** Configuration of this command; no agent is asked. */
export const configCommands: readonly CommandRow[] = [
  {
    path: ["config", "list"],
    aliases: [["config", "show"]],
    summary: "All settings, and where each is from.",
    details: LAYERS,
    configures: true,
    flags: { origin: { type: "boolean", summary: "also which variable or file has it" } },
    examples: [{ command: "agents config list" }, { command: "agents config show --origin" }],
    seeAlso: ["config set"],
    load: () => import("../commands/config-list.ts"),
  },
  {
    path: ["config", "get"],
    summary: "One setting, as it counts here.",
    configures: true,
    positionals: [KEY],
    examples: [{ command: "agents config get server.url" }],
    seeAlso: ["config list"],
    load: () => import("../commands/config-get.ts"),
  },
  {
    path: ["config", "set"],
    summary: "Write a setting down.",
    configures: true,
    details: LAYERS,
    positionals: [KEY, { name: "VALUE", summary: "- reads it from stdin" }],
    flags: PROJECT,
    examples: [
      { command: "agents config set server.url https://agents.example" },
      { command: "agents config set server.token -", comment: "reads it from stdin" },
      { command: "agents config set core.format json --in-project" },
    ],
    seeAlso: ["config unset", "config list"],
    load: () => import("../commands/config-set.ts"),
  },
  {
    path: ["config", "unset"],
    summary: "Take a setting out again.",
    configures: true,
    positionals: [KEY],
    flags: PROJECT,
    examples: [{ command: "agents config unset server.url" }],
    seeAlso: ["config set"],
    load: () => import("../commands/config-unset.ts"),
  },
];
