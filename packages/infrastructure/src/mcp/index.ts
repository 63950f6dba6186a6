export { mcpExecutable } from "./executable-of.ts";
export { McpClient, type McpClientConfig } from "./mcp-client.ts";
export { McpError, type McpReason } from "./mcp-error.ts";
export { MCPRefreshHook, type RefreshesSkills } from "./mcp-refresh-hook.ts";
export { MCPToolAdapter, type MCPToolAdapterDeps, type RegistersTools } from "./mcp-tool-adapter.ts";
export { McpToolProvider, type McpToolProviderDeps } from "./mcp-tool-provider.ts";
export {
  PathTraversalError,
  SandboxPathRewriter,
  type SandboxPathRewriterConfig,
} from "./sandbox-path-rewriter.ts";
