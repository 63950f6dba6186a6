import path from "node:path";
import type { ToolDescriptor } from "@cleveragents/application";
import { expect, test, vi } from "vitest";
import { MCPRefreshHook, MCPToolAdapter } from "../../src/mcp/index.ts";
import { failure, McpWorld } from "./mcp-fixtures.ts";

test("a program without plans connects a server, discovers and registers its tools, and invokes them", async () => {
  await using world = new McpWorld();
  const { processes, env, trust } = world;
  const adapter = new MCPToolAdapter(world.hostile(), {
    ...{ processes, env, trust, clientVersion: "1.0.0" },
    folder: path.join(world.folder, "servers"),
  });
  await adapter.connect();
  expect((await adapter.discoverTools()).map(({ name }) => name)).toContain("echo");
  const registered: ToolDescriptor[] = [];
  adapter.registerTools({ register: (descriptor) => registered.push(descriptor) });
  expect(registered[0]).toMatchObject({ name: "mcp/hostile__echo", source: "mcp" });
  expect((await adapter.invoke("echo", { a: 1 })).value).toEqual({ text: '{"a":1}' });
  expect(await failure(adapter.invoke("nothing", {}))).toMatchObject({ reason: "MCP_TOOL_NOT_FOUND" });
  const refreshAll = vi.fn();
  adapter.onToolsChanged(new MCPRefreshHook({ refreshAll }).onToolsChanged);
  await adapter.invoke("grow", {});
  await vi.waitFor(() => expect(refreshAll).toHaveBeenCalledTimes(1), 10_000);
  await adapter.disconnect();
  expect(await world.running()).toBe(0);
});

test("changes that come while skills are refreshed have them refreshed once more, and a failure is survived", async () => {
  let release = (): void => undefined;
  const refreshAll = vi.fn(() => new Promise<void>((resolve) => (release = resolve)));
  const hook = new MCPRefreshHook({ refreshAll });
  const all = Promise.all([hook.onToolsChanged("a"), hook.onToolsChanged("b"), hook.onToolsChanged("c")]);
  await vi.waitFor(() => expect(refreshAll).toHaveBeenCalledTimes(1));
  const later = hook.onToolsChanged("a");
  release();
  await vi.waitFor(() => expect(refreshAll).toHaveBeenCalledTimes(2));
  release();
  await Promise.all([all, later]);
  expect(refreshAll).toHaveBeenCalledTimes(2);
  refreshAll.mockRejectedValueOnce(new Error("no"));
  await hook.onToolsChanged("a");
});
