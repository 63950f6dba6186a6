import type { McpHints } from "@cleveragents/domain";
import type { MethodName } from "@cleveragents/protocol";
import type { McpRefreshed, McpService, McpTested } from "../../mcp/mcp-service.ts";
import { compact } from "../../wire/message.ts";
import { iso } from "../../wire/task.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

type McpMethod = Extract<
  MethodName,
  `_cleveragents/registry/mcp/${"test" | "refresh" | "login" | "authorize" | "logout"}`
>;

export function mcpHandlers(service: McpService | undefined): HandlersOf<McpMethod> {
  const mcp = () => wired(service, "mcp");
  return {
    async "_cleveragents/registry/mcp/test"({ name }, { signal }) {
      return toWireTest(await mcp().test(name, signal));
    },
    async "_cleveragents/registry/mcp/refresh"({ name }, { signal }) {
      return { servers: (await mcp().refresh(name, signal)).map(toWireRefreshed) };
    },
    async "_cleveragents/registry/mcp/login"({ name, redirect_uri }, { signal }) {
      const { server, state, url, expiresAt } = await mcp().beginLogin(name, redirect_uri, signal);
      return { name: server, state, authorization_url: url, expires_at: iso(expiresAt) };
    },
    async "_cleveragents/registry/mcp/authorize"({ state, code, iss }, { signal }) {
      const { server } = await mcp().finishLogin(state, { code, iss }, signal);
      return { name: server, authorized: true };
    },
    async "_cleveragents/registry/mcp/logout"({ name }) {
      const { server, forgotten } = await mcp().logout(name);
      return { name: server, forgotten };
    },
  };
}

function toWireTest({ name, listing, startedMs, level, tools, skippedLines, leftRunning }: McpTested) {
  const { server, protocol, era, refused, warnings } = listing;
  return {
    name,
    server,
    protocol,
    era,
    started_ms: startedMs,
    ...compact({ enforcement: level }),
    tools: tools.map(({ name: called, exposed, tool, offered }) => ({
      name: called,
      exposed_name: exposed,
      description: tool.description,
      hints: compact(tool.hints) as McpHints,
      offered,
    })),
    refused,
    warnings,
    skipped_lines: skippedLines,
    left_running: leftRunning,
  };
}

function toWireRefreshed(refreshed: McpRefreshed) {
  if (refreshed.status === "failed") return { ...refreshed };
  const { added, removed, changed, warnings, ...rest } = refreshed;
  return {
    ...rest,
    added: [...added],
    removed: [...removed],
    changed: [...changed],
    warnings: [...warnings],
  };
}
