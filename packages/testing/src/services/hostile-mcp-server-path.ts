import { fileURLToPath } from "node:url";

/** What Node runs as the server of `hostile-mcp-server.ts`; its mode is the first argument. */
export const HOSTILE_MCP_SERVER = fileURLToPath(
  new URL(`./hostile-mcp-server${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url),
);
