export { FakeEngine } from "./fake-engine.ts";
export { fakeLanguageServer } from "./fake-language-server-command.ts";
export { HOSTILE_MCP_SERVER } from "./hostile-mcp-server-path.ts";
export { LoginMcpServer } from "./login-mcp-server.ts";
export {
  type PostgresService,
  type StartPostgresOptions,
  startPostgres,
  type TestDatabase,
} from "./start-postgres.ts";
