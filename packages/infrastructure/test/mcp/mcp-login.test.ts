import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { storeListing } from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";
import { LoginMcpServer } from "@cleveragents/testing/services";
import { describe, expect, test } from "vitest";
import type { McpToolProvider } from "../../src/mcp/mcp-tool-provider.ts";
import { failure, McpWorld } from "./mcp-fixtures.ts";

const BACK = "http://127.0.0.1:4711/callback";
const never = new AbortController().signal;

async function login(
  provider: McpToolProvider,
  web: LoginMcpServer,
  server: Parameters<McpToolProvider["begin"]>[0],
) {
  const { url, state } = await provider.begin(server, BACK, never);
  const back = await web.visit(url);
  expect(back.get("state")).toBe(state);
  return await provider.finish(state, { code: back.get("code") ?? "" }, never);
}

async function open(world: McpWorld, web: LoginMcpServer, more: JsonObject = {}) {
  const server = world.server({
    name: "local/web",
    url: web.url,
    protocol: "legacy",
    oauth: { login: true },
    ...more,
  });
  await world.register(server);
  return { server, provider: world.provider() };
}

describe("a server that wants a user to log in", () => {
  test("says so, is registered at, asked by code and PKCE, and then used with what came of it", async () => {
    await using web = await LoginMcpServer.start();
    await using world = new McpWorld();
    const { server, provider } = await open(world, web);
    const refused = await failure(provider.discover(server, never));
    expect(refused).toMatchObject({
      reason: "MCP_AUTHENTICATION",
      message: expect.stringContaining("agents mcp login local/web"),
    });
    expect(await login(provider, web, server)).toEqual({ server: "local/web" });
    const { listing } = await provider.discover(server, never);
    expect(listing.tools.map(({ name }) => name)).toEqual(["token"]);
    await storeListing(world.registry, server.name, { ...listing, found_at: 1 });
    await provider.load();
    const called = await provider.call("mcp/web__token", {}, world.context());
    expect(called.value["text"]).not.toContain("access-");
    expect({ registered: web.registered, codes: web.codes }).toEqual({ registered: ["client-1"], codes: 1 });
  });

  test("keeps what came of it for the next process, renewed once for all calls, in a file of its user's", async () => {
    await using web = await LoginMcpServer.start();
    await using world = new McpWorld();
    const { server, provider } = await open(world, web);
    await login(provider, web, server);
    const file = path.join(world.folder, "credentials.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const next = world.provider();
    web.expire();
    const found = await Promise.all([next.discover(server, never), next.discover(server, never)]);
    expect(found.map(({ listing }) => listing.tools.length)).toEqual([1, 1]);
    expect(web.renewals).toBe(1);
    expect(web.codes).toBe(1);
    web.expire();
    web.refuses = "renewals";
    expect(await failure(next.discover(server, never))).toMatchObject({
      message: expect.stringContaining("agents mcp login local/web"),
    });
    expect(await next.forget("local/web")).toBe(true);
    expect(await next.forget("local/web")).toBe(false);
    expect(readFileSync(file, "utf8")).not.toMatch(/access-|refresh-|client-/);
  });

  test("ends a login once, with its own code, and says why one fails", async () => {
    await using web = await LoginMcpServer.start();
    await using world = new McpWorld();
    const { server, provider } = await open(world, web);
    const { url, state } = await provider.begin(server, BACK, never);
    const code = (await web.visit(url)).get("code") ?? "";
    web.refuses = "codes";
    expect(await failure(provider.finish(state, { code }, never))).toMatchObject({
      reason: "MCP_AUTHENTICATION",
      message: expect.stringContaining("invalid_grant"),
    });
    expect((await failure(provider.finish(state, { code }, never))).name).toBe("McpLoginUnknownError");
    const dead = world.server({ name: "local/dead", url: "http://127.0.0.1:1/mcp", oauth: { login: true } });
    expect(await failure(provider.begin(dead, BACK, never))).toMatchObject({ reason: "MCP_CONNECTION" });
    const other = world.server({ name: "local/other", url: web.url });
    expect((await failure(provider.begin(other, BACK, never))).message).toContain("oauth: { login: true }");
  });

  test("tokens of one address are never sent to another one of the same name", async () => {
    await using web = await LoginMcpServer.start();
    await using other = await LoginMcpServer.start();
    await using world = new McpWorld();
    const { server, provider } = await open(world, web);
    await login(provider, web, server);
    const moved = world.server({
      name: "local/web",
      url: other.url,
      protocol: "legacy",
      oauth: { login: true },
    });
    expect(await failure(provider.discover(moved, never))).toMatchObject({ reason: "MCP_AUTHENTICATION" });
  });

  test("a call that needs more than was agreed to says so, and the next login asks for that too", async () => {
    await using web = await LoginMcpServer.start();
    await using world = new McpWorld();
    const { server, provider } = await open(world, web, { oauth: { login: true, scope: "read" } });
    await login(provider, web, server);
    const { listing } = await provider.discover(server, never);
    await storeListing(world.registry, server.name, { ...listing, found_at: 1 });
    await provider.load();
    web.wants = "write";
    expect(await failure(provider.call("mcp/web__token", {}, world.context()))).toMatchObject({
      reason: "MCP_AUTHENTICATION",
      message: expect.stringContaining("(write): agents mcp login local/web"),
    });
    const { url } = await provider.begin(server, BACK, never);
    expect(new URL(url).searchParams.get("scope")).toBe("read write");
    await login(provider, web, server);
    expect((await provider.call("mcp/web__token", {}, world.context())).value["text"]).toContain(
      "you have sent",
    );
  });
});
