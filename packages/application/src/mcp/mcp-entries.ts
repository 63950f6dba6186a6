import {
  canonicalName,
  EntryNotFoundError,
  type JsonObject,
  type McpServer,
  ownerOfServer,
  type SkillRegistration,
  skillServerName,
} from "@cleveragents/domain";
import type { RegistryEntry, RegistryStore } from "../ports/registry-store.ts";

/**
 * The servers that skills bring in their own documents, as entries of servers. They are kept nowhere else: what is done to
 * the skill is done to them.
 */
export async function skillServers(registry: Pick<RegistryStore, "list">): Promise<readonly RegistryEntry[]> {
  return (await registry.list("skill")).flatMap(serversIn);
}

/** Every MCP server there is, registered by itself or brought by a skill; of one name the registered one. */
export async function mcpEntries(registry: Pick<RegistryStore, "list">): Promise<readonly RegistryEntry[]> {
  const [registered, brought] = await Promise.all([registry.list("mcp"), skillServers(registry)]);
  const names = new Set(registered.map(({ name }) => name));
  return [...registered, ...brought.filter(({ name }) => !names.has(name))];
}

/** One of {@link mcpEntries}, by its full name. */
export async function findMcpEntry(
  registry: Pick<RegistryStore, "find">,
  name: string,
): Promise<RegistryEntry | undefined> {
  const registered = await registry.find("mcp", name);
  const owner = ownerOfServer(name);
  if (registered !== undefined || owner === undefined) return registered;
  const skill = await registry.find("skill", owner.skill);
  return skill && serversIn(skill).find((entry) => entry.name === name);
}

/** {@link findMcpEntry} by any spelling of its name. Throws `EntryNotFoundError`, which lists what there is. */
export async function mcpEntry(
  registry: Pick<RegistryStore, "find" | "list">,
  given: string,
): Promise<RegistryEntry> {
  const name = canonicalName(given);
  const entry = await findMcpEntry(registry, name);
  if (entry !== undefined) return entry;
  throw new EntryNotFoundError(
    "mcp",
    name,
    (await mcpEntries(registry)).map((known) => known.name),
  );
}

function serversIn({ name: skill, document, createdAt, updatedAt }: RegistryEntry): readonly RegistryEntry[] {
  const { mcp_servers = [] } = document as unknown as Partial<SkillRegistration>; // checked when it was registered
  return mcp_servers
    .filter((server): server is McpServer => typeof server !== "string")
    .map((server) => {
      const name = skillServerName(skill, server.name);
      const own = { ...server, name } as unknown as JsonObject; // as the skill was stored
      return { kind: "mcp", name, document: own, createdAt, updatedAt };
    });
}
