import type { Flags } from "../command/command-row.ts";
import { DESCRIPTION, ENV, NETWORK } from "./reused-specs.ts";

/** Of a server whose command or address is typed in place of a file. */
export const mcpTypedFlags = {
  url: { type: "string", value: "URL", summary: "of a server over HTTP, in place of a command" },
  sse: { type: "boolean", summary: "the server at --url speaks the older transport alone" },
  header: { type: "list", value: "N: V", summary: "a header for it, kept in its document; again for more" },
  "header-from": {
    type: "list",
    value: "N=VARIABLE",
    summary: "a header whose value is a variable of the agent's environment, such as a token",
  },
  login: { type: "boolean", summary: "it wants a user: agents mcp login NAME" },
  env: ENV,
  "env-from": {
    type: "list",
    value: "VARIABLE",
    summary: "a variable of the agent's environment that it is given, such as a token",
  },
  network: NETWORK,
  readable: {
    type: "list",
    value: "DIR",
    summary: "a folder of this host that it sees where it is isolated",
  },
  sandbox: {
    type: "string",
    value: "S",
    choices: ["plan", "none"],
    summary: "where it works: in each plan's copy, or outside",
  },
  description: DESCRIPTION,
} as const satisfies Flags;

/** Of a server whose command is typed in place of a file. */
export const lspTypedFlags = {
  language: { type: "list", value: "L", summary: "a language that it serves; again for more" },
  pattern: {
    type: "list",
    value: "GLOB",
    summary: "files that it serves, where its languages do not say that",
  },
  env: ENV,
  network: NETWORK,
  description: DESCRIPTION,
} as const satisfies Flags;
