import {
  type JsonObject,
  type SkillRegistration,
  skillServerName,
  skillToolName,
} from "@cleveragents/domain";
import type { Executable } from "../ports/trust.ts";
import { customToolExecutable } from "../tools/custom-tool-executable.ts";

/** What a skill's document itself would start: its own tools, and its own servers. */
export async function executablesOfSkill(
  document: JsonObject,
  ofServer: ((document: JsonObject) => Promise<Executable | readonly Executable[] | undefined>) | undefined,
): Promise<readonly Executable[]> {
  const { name: skill, anonymous_tools, mcp_servers } = document as unknown as SkillRegistration; // just checked
  const tools = anonymous_tools.map((tool) =>
    customToolExecutable({ ...tool, name: skillToolName(skill, tool.name) }),
  );
  const servers = await Promise.all(
    mcp_servers.map(async (server) =>
      typeof server === "string"
        ? undefined
        : ofServer?.({ ...server, name: skillServerName(skill, server.name) } as unknown as JsonObject),
    ),
  );
  return [...tools, ...servers.flatMap((one) => one ?? [])];
}
