import {
  McpNameParamsSchema,
  McpRefreshParamsSchema,
  McpRefreshResultSchema,
  McpTestResultSchema,
} from "../schemas/mcp.ts";
import { defineMethod } from "./define-method.ts";

/** What is special about MCP servers; they are registered like everything else. */
export const mcpMethods = {
  "_cleveragents/registry/mcp/test": defineMethod({
    name: "_cleveragents/registry/mcp/test",
    group: "registry",
    family: "cleveragents",
    kind: "unary",
    params: McpNameParamsSchema,
    result: McpTestResultSchema,
    errors: ["InvalidParams", "EntryNotFound", "TrustRequired", "ToolServerFailed", "Forbidden"],
    scope: "registry:write",
    summary: "Start an MCP server, list what it offers, stop it, and see that nothing of it is left.",
  }),
  "_cleveragents/registry/mcp/refresh": defineMethod({
    name: "_cleveragents/registry/mcp/refresh",
    group: "registry",
    family: "cleveragents",
    kind: "unary",
    params: McpRefreshParamsSchema,
    result: McpRefreshResultSchema,
    errors: ["InvalidParams", "EntryNotFound", "Forbidden"],
    scope: "registry:write",
    summary: "List the tools of one MCP server, or of all, anew.",
  }),
} as const;
