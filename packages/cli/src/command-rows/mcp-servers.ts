import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";
import { NAME } from "./reused-specs.ts";

/** What is special about MCP servers. */
export const mcpServerRows = {
  "_cleveragents/registry/mcp/test": {
    path: ["mcp", "test"],
    summary: "Start an MCP server, list what it offers, and stop it.",
    details: "Nothing is kept, and it is seen to that nothing of the server is left running.",
    positionals: [NAME],
    examples: [{ command: "agents mcp test local/github" }],
    seeAlso: ["mcp refresh", "trust add"],
    load: () => import("../commands/mcp-test.ts"),
  },
  "_cleveragents/registry/mcp/refresh": {
    path: ["mcp", "refresh"],
    summary: "List the tools of one MCP server, or of all, anew.",
    details:
      "Tools are offered as they were listed last, without starting a server. Lists are also renewed whenever a\n" +
      "server is started for a call. A server that cannot be used keeps the list that it has.",
    positionals: [{ name: "NAME", summary: "its registered name; all without one", optional: true }],
    examples: [{ command: "agents mcp refresh" }, { command: "agents mcp refresh local/github" }],
    seeAlso: ["mcp test", "tool list"],
    load: () => import("../commands/mcp-refresh.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
