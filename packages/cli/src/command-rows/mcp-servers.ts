import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";
import { CONFIG, NAME, TRUST, TYPED_SERVER, UPDATE } from "./reused-specs.ts";
import { mcpTypedFlags } from "./typed-flags.ts";

/** What is special about MCP servers. */
export const mcpServerRows = {
  "_cleveragents/registry/mcp/add": {
    path: ["mcp", "add"],
    summary: "Register an MCP server: its command, its address, or its file.",
    details:
      "NAME -- COMMAND ARGS… or NAME --url URL registers what is typed, and consents to it being started or reached.\n" +
      "A FILE is consented to with --trust. Then its tools are listed, if it answers within 20 s.",
    positionals: TYPED_SERVER,
    flags: { config: CONFIG, update: UPDATE, trust: TRUST, ...mcpTypedFlags },
    examples: [
      {
        command:
          "agents mcp add files --network -- npx -y @modelcontextprotocol/server-filesystem '{{ project }}'",
      },
      { command: "agents mcp add github --env-from GITHUB_TOKEN --sandbox none -- github-mcp stdio" },
      { command: "agents mcp add docs --url https://docs.example/mcp --header-from X-Api-Key=DOCS_KEY" },
      { command: "agents mcp add github.yaml --trust" },
    ],
    seeAlso: ["mcp test", "mcp refresh", "tool list"],
    load: () => import("../commands/mcp-add.ts"),
  },
  "_cleveragents/registry/mcp/test": {
    path: ["mcp", "test"],
    summary: "Start an MCP server, list what it offers, and stop it.",
    details: "Nothing is kept, and it is seen to that nothing of the server is left running.",
    positionals: [NAME],
    examples: [{ command: "agents mcp test local/github" }],
    seeAlso: ["mcp refresh", "trust add"],
    load: () => import("../commands/mcp-test.ts"),
  },
  "_cleveragents/registry/mcp/login": {
    path: ["mcp", "login"],
    summary: "Log in at an MCP server over HTTP, in a browser.",
    details:
      "For servers with `oauth: { login: true }`. The agent keeps the tokens, in a file that only its user can read,\n" +
      "and renews them. The browser has to be on this machine, or --port forwarded to it.",
    positionals: [NAME],
    flags: {
      port: {
        type: "number",
        value: "P",
        default: "any that is free",
        summary: "where the browser comes back to",
      },
    },
    examples: [{ command: "agents mcp login local/docs" }],
    seeAlso: ["mcp add", "mcp logout"],
    load: () => import("../commands/mcp-login.ts"),
  },
  // The second half of `agents mcp login`.
  "_cleveragents/registry/mcp/authorize": null,
  "_cleveragents/registry/mcp/logout": {
    path: ["mcp", "logout"],
    summary: "Forget what came of a login at an MCP server.",
    positionals: [NAME],
    examples: [{ command: "agents mcp logout local/docs" }],
    seeAlso: ["mcp login"],
    load: () => import("../commands/mcp-logout.ts"),
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
} as const satisfies Partial<Record<MethodName, CommandRow | null>>;
