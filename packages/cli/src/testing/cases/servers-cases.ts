import { DIGEST } from "../samples.ts";
import { AT, type Case, page } from "./case.ts";

const consent = {
  kind: "mcp",
  name: "local/github",
  digest: DIGEST,
  trusted: true,
  command: "npx",
  args: ["github-mcp"],
  variables: ["TOKEN"],
  granted_by: "local",
  granted_at: AT,
};

/** Servers of others, and who may be started. */
export const SERVERS_CASES: readonly Case[] = [
  {
    argv: "trust list --kind mcp",
    method: "_cleveragents/trust/list",
    result: page("consents", consent, { ...consent, trusted: false, granted_at: undefined }),
    params: { kind: "mcp" },
    names: `${DIGEST}\n${DIGEST}`,
  },
  {
    argv: "mcp test local/github",
    method: "_cleveragents/registry/mcp/test",
    result: {
      name: "local/github",
      server: { name: "github", version: "1.2.0" },
      protocol: "2025-11-25",
      era: "legacy",
      started_ms: 480,
      enforcement: "full",
      tools: [
        {
          name: "search",
          exposed_name: "mcp/github__search",
          description: "Searches issues\nand more",
          hints: { readOnlyHint: true },
          offered: true,
        },
        { name: "purge", exposed_name: "mcp/github__purge", description: "", hints: {}, offered: false },
      ],
      refused: [{ name: "odd", why: "inputSchema: Invalid input" }],
      warnings: ["its pages lead back to one that was read already"],
      skipped_lines: 2,
      left_running: 0,
    },
    params: { name: "local/github" },
    names: "mcp/github__search\nmcp/github__purge",
  },
  {
    argv: "mcp logout local/github",
    method: "_cleveragents/registry/mcp/logout",
    result: { name: "local/github", forgotten: true },
    params: { name: "local/github" },
    names: "local/github",
  },
  {
    argv: "mcp refresh local/github",
    method: "_cleveragents/registry/mcp/refresh",
    result: {
      servers: [
        {
          name: "local/github",
          status: "refreshed",
          tools: 12,
          added: ["a", "b"],
          removed: ["c"],
          changed: [],
        },
        {
          name: "local/broken",
          status: "failed",
          tools: 3,
          reason: "MCP_CONNECTION",
          message: "MCP server local/broken: it ended with exit code 1: missing API key",
        },
      ],
    },
    params: { name: "local/github" },
    names: "local/github\nlocal/broken",
  },
  {
    argv: "lsp test local/pyright --project local/app",
    method: "_cleveragents/registry/lsp/test",
    result: {
      name: "local/pyright",
      server: { name: "pyright", version: "1.1.414" },
      capabilities: ["diagnostics", "hover", "rename"],
      position_encoding: "utf-16",
      diagnostics: "pull",
      started_ms: 240,
      enforcement: "full",
      tried: { path: "app/main.py", errors: 2, warnings: 0, stale: false },
      left_running: 0,
    },
    params: { name: "local/pyright", project: "local/app" },
    names: "local/pyright",
  },
  {
    argv: `trust add mcp local/github --digest ${DIGEST}`,
    method: "_cleveragents/trust/add",
    result: consent,
    params: { kind: "mcp", name: "local/github", digest: DIGEST },
    names: DIGEST,
  },
  {
    argv: "trust remove mcp local/github",
    method: "_cleveragents/trust/remove",
    result: { removed: [consent] },
    params: { kind: "mcp", name: "local/github" },
    names: DIGEST,
  },
];
