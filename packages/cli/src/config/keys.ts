import { TRANSPORTS } from "../connect/connect-request.ts";

export interface ConfigKey {
  /** `section.key`, as in the file. */
  readonly name: string;
  readonly type: "string" | "number" | "boolean";
  /** The variable that stands in for it, and wins over files. */
  readonly env: string;
  readonly summary: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** Shown as stars, and kept in a file that nobody else can read. */
  readonly secret?: true;
  /**
   * Only the user's own file may have it: a repository that is looked at must not say whom its user speaks to, or with which
   * credential.
   */
  readonly userOnly?: true;
}

/** Everything that can be configured. Flags, where there are some, win over all of it. */
export const CONFIG_KEYS: readonly ConfigKey[] = [
  {
    name: "server.url",
    type: "string",
    env: "CLEVERAGENTS_SERVER_URL",
    summary: "the agent that is spoken to over HTTP, in the place of the local one",
    userOnly: true,
  },
  {
    name: "server.token",
    type: "string",
    env: "CLEVERAGENTS_SERVER_TOKEN",
    summary: "its token or API key",
    secret: true,
    userOnly: true,
  },
  {
    name: "core.data-dir",
    type: "string",
    env: "CLEVERAGENTS_DATA_DIR",
    summary: "where the local agent keeps its data",
    userOnly: true,
  },
  {
    name: "core.transport",
    type: "string",
    env: "CLEVERAGENTS_TRANSPORT",
    summary: "how the agent is spoken to",
    choices: TRANSPORTS,
    userOnly: true,
  },
  {
    name: "core.format",
    type: "string",
    env: "CLEVERAGENTS_FORMAT",
    summary: "what stdout gets",
    choices: ["text", "json", "yaml", "name"],
    default: "text",
  },
  {
    name: "core.timeout",
    type: "number",
    env: "CLEVERAGENTS_TIMEOUT",
    summary: "seconds to wait for an answer, or for a plan",
  },
  {
    name: "core.color",
    type: "boolean",
    env: "CLEVERAGENTS_COLOR",
    summary: "whether there is colour on terminals",
    default: "true",
  },
  {
    name: "core.pager",
    type: "string",
    env: "CLEVERAGENTS_PAGER",
    summary: "what long patches are shown with on terminals; cat for nothing",
    userOnly: true,
  },
];
