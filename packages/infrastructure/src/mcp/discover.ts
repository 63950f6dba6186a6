import { type McpDiscovered, McpUnavailableError, type Trust } from "@cleveragents/application";
import type { McpServer } from "@cleveragents/domain";
import { executableOf, startDigest } from "./executable-of.ts";
import { McpClient } from "./mcp-client.ts";
import { McpError } from "./mcp-error.ts";
import type { McpLogins } from "./mcp-logins.ts";
import { type PlaceDeps, placeApart } from "./server-place.ts";
import { ServerSecrets } from "./server-secrets.ts";

export interface DiscoverDeps extends PlaceDeps {
  readonly trust: Trust;
  readonly clientVersion: string;
  readonly logins?: McpLogins | undefined;
}

/** See `McpDiscovery.discover`. */
export async function discover(
  deps: DiscoverDeps,
  server: McpServer,
  signal: AbortSignal,
): Promise<McpDiscovered> {
  await deps.trust.demand(executableOf(server));
  const place = placeApart(deps, server, server.sandbox === "plan");
  const { logins } = deps;
  const client = new McpClient({
    server,
    env: deps.env,
    open: place.open,
    roots: place.roots,
    redactor: new ServerSecrets(server, deps.env).redactor(),
    clientVersion: deps.clientVersion,
    ...(logins === undefined
      ? {}
      : {
          authFor: (of: McpServer) => logins.authFor(of),
          onScopeWanted: (scope: string) => void logins.wants(server, scope),
        }),
    autoStopIdleSecs: 0,
  });
  const stop = (): void => void client.close(0);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const startedAt = performance.now();
    const listed = await client.listTools({ signal });
    const startedMs = Math.round(performance.now() - startedAt);
    const { connection } = client;
    if (connection === undefined)
      throw new McpError("MCP_CONNECTION", server.name, "it ended while it listed");
    const { server: said, protocol, era, level } = connection;
    await client.close();
    return {
      listing: { ...listed, of: startDigest(server), server: said, protocol, era },
      startedMs,
      ...(level === undefined ? {} : { level }),
      leftRunning: await connection.left(),
      skippedLines: connection.skippedLines(),
    };
  } catch (error) {
    await client.close(0);
    if (error instanceof McpError)
      throw new McpUnavailableError(server.name, error.reason, error.message, { cause: error });
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
