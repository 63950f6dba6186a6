import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { type HealthCheck, mcpEntries, type RegistryStore } from "@cleveragents/application";
import type { Environment } from "./node-host-diagnostics.ts";

const WORDS = { mcp: "MCP servers", lsp: "language servers" } as const;

/** Whether the programs of registered servers are there. None is started: that needs consent. */
export function programsCheck(
  kind: keyof typeof WORDS,
  registry: Pick<RegistryStore, "list">,
  env: Environment,
): HealthCheck {
  return {
    id: kind,
    required: false,
    remediation: `install what is named, or correct the entry: agents ${kind} show NAME`,
    run: async () => {
      const entries = kind === "mcp" ? await mcpEntries(registry) : await registry.list(kind);
      const missing: string[] = [];
      for (const { name, document } of entries) {
        const { command } = document;
        // A path within projects is theirs to have.
        if (typeof command !== "string" || (command.includes("/") && !isAbsolute(command))) continue;
        if (!(await isThere(command, env["PATH"] ?? ""))) missing.push(`${name} (${command})`);
      }
      const counted = `${entries.length} ${WORDS[kind]}`;
      return missing.length === 0 ? counted : { lacking: `${counted}; not found: ${missing.join(", ")}` };
    },
  };
}

async function isThere(command: string, path: string): Promise<boolean> {
  const places = isAbsolute(command)
    ? [command]
    : path
        .split(delimiter)
        .filter((folder) => folder !== "")
        .map((folder) => join(folder, command));
  for (const place of places) if (await isExecutable(place)) return true;
  return false;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
