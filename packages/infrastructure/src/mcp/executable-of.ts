import { createHash } from "node:crypto";
import type { Executable } from "@cleveragents/application";
import { type JsonObject, type McpServer, McpServerSchema } from "@cleveragents/domain";

/**
 * What somebody consents to who trusts a server: what is started, or where is connected to, and what it is given. Values
 * of the agent's own variables stay out of it: they change, and are secret.
 */
export function executableOf(server: McpServer): Executable {
  const handedOn = Object.fromEntries(server.env_from.map((name) => [name, `$${name}`]));
  const headers = {
    ...server.headers,
    ...Object.fromEntries(Object.entries(server.headers_from).map(([name, from]) => [name, `$${from}`])),
  };
  // No variable of an environment can have these names.
  const more: Record<string, string> = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [`header:${name}`, value]),
  );
  if (server.oauth !== undefined) more["mcp:oauth"] = JSON.stringify(server.oauth);
  if (server.sampling !== undefined) more["mcp:sampling"] = server.sampling;
  if (server.transport === "stdio") {
    more["mcp:sandbox"] = server.network ? `${server.sandbox}, network` : server.sandbox;
    if (server.readable.length > 0) more["mcp:readable"] = server.readable.join(":");
    if (server.cwd !== undefined) more["mcp:cwd"] = server.cwd;
  }
  return {
    kind: "mcp",
    name: server.name,
    command: server.command ?? server.url ?? "",
    args: server.args,
    environment: { ...server.env, ...handedOn, ...more },
  };
}

/** The same for the same start: what was found of another one counts no more. */
export function startDigest(server: McpServer): string {
  return createHash("sha256")
    .update(JSON.stringify(executableOf(server)))
    .digest("hex");
}

/** {@link executableOf} a registered document. */
export async function mcpExecutable(document: JsonObject): Promise<Executable> {
  return executableOf(McpServerSchema.parse(document));
}
