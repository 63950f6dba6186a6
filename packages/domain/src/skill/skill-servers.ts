import type { McpServer } from "../mcp/mcp-server-schema.ts";

/** A server of a skill's own by the name that everything else knows it by. */
export function skillServerName(skill: string, server: string): string {
  return `${skill}__${server}`;
}

/** The skill whose document may have a server of this name, and its name there. */
export function ownerOfServer(
  server: string,
): { readonly skill: string; readonly server: string } | undefined {
  // Names within skills have no __, and begin with a letter.
  const at = server.lastIndexOf("__");
  return at <= 0 ? undefined : { skill: server.slice(0, at), server: server.slice(at + "__".length) };
}

/** The servers that a skill uses, by their full names. */
export function serverNamesOf(skill: string, servers: readonly (string | McpServer)[]): readonly string[] {
  return servers.map((server) => (typeof server === "string" ? server : skillServerName(skill, server.name)));
}
