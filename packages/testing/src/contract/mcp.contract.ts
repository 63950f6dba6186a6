import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOSTILE_MCP_SERVER } from "../services/hostile-mcp-server-path.ts";
import { LoginMcpServer } from "../services/login-mcp-server.ts";
import { atRest } from "../world/following.ts";
import { type OpenWorld, use, type World } from "../world/world.ts";
import { refusals } from "./refusals.ts";

/** What is special about MCP servers: they are tested and refreshed, and their tools are called by plans. */
export function mcpContract(open: OpenWorld): void {
  let shared: World;
  let web: LoginMcpServer;
  beforeAll(async () => {
    shared = await open();
    web = await LoginMcpServer.start();
  });
  afterAll(async () => {
    await web[Symbol.asyncDispose]();
    await shared[Symbol.asyncDispose]();
  });
  const world = () => shared;

  const document = (name: string, mode = "good") =>
    JSON.stringify({
      mcp_server: {
        name,
        command: process.execPath,
        args: ["--disable-warning=ExperimentalWarning", HOSTILE_MCP_SERVER, mode],
        protocol: "legacy",
        include: ["echo", "write", "contents"],
      },
    });
  const register = async (name: string, mode?: string, trust = true) =>
    await world().client.call("_cleveragents/registry/mcp/add", {
      document: document(name, mode),
      file: `${name}.yaml`,
      trust,
    });

  describe("_cleveragents/registry/mcp/test", () => {
    test("starts a server, says what it offers under which names, and leaves nothing running", async () => {
      await register("tested");
      const tested = await world().client.call("_cleveragents/registry/mcp/test", { name: "tested" });
      expect(tested).toMatchObject({
        name: "local/tested",
        server: { name: "hostile", version: "1.2.3" },
        era: "legacy",
        left_running: 0,
        refused: [],
      });
      expect(tested.tools).toContainEqual({
        name: "echo",
        exposed_name: "mcp/tested__echo",
        description: "What it was called with",
        hints: { readOnlyHint: true },
        offered: true,
      });
      expect(tested.tools.find(({ name }) => name === "die")).toMatchObject({ offered: false });
      const { tools } = await world().client.call("_cleveragents/registry/tool/list", { page_size: 500 });
      expect(tools.map(({ name }) => name)).not.toContain("mcp/tested__echo");
    });

    refusals("_cleveragents/registry/mcp/test", world, {
      InvalidParams: {
        "no name": ({ client }) => client.call("_cleveragents/registry/mcp/test", { name: "" }),
        "a name that is none": ({ client }) =>
          client.call("_cleveragents/registry/mcp/test", { name: "two words" }),
      },
      EntryNotFound: {
        "a server that is not registered": {
          reason: "MCP_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/registry/mcp/test", { name: "nobody" }),
        },
      },
      TrustRequired: {
        "a server that nobody has consented to": {
          reason: "TRUST_REQUIRED",
          attempt: async ({ client }) => {
            await register("untrusted", "good", false);
            return await client.call("_cleveragents/registry/mcp/test", { name: "untrusted" });
          },
        },
      },
      ToolServerFailed: {
        "a server that ends at once": {
          reason: "MCP_CONNECTION",
          attempt: async ({ client }) => {
            await register("ending", "exit");
            return await client.call("_cleveragents/registry/mcp/test", { name: "ending" });
          },
        },
      },
      Forbidden: {
        "a caller who may read, and no more": (w) =>
          w
            .as("reader", ["registry:read"])
            .client.call("_cleveragents/registry/mcp/test", { name: "tested" }),
      },
    });
  });

  describe("_cleveragents/registry/mcp/refresh", () => {
    test("keeps what a server offers, and a plan calls it with the server's work in the plan's sandbox", async () => {
      await register("used");
      const params = { name: "used" };
      expect(await world().client.call("_cleveragents/registry/mcp/refresh", params)).toMatchObject({
        servers: [{ name: "local/used", status: "refreshed" }],
      });
      expect(await world().client.call("_cleveragents/registry/mcp/refresh", params)).toMatchObject({
        servers: [{ name: "local/used", status: "unchanged", added: [], removed: [], changed: [] }],
      });
      const { tools } = await world().client.call("_cleveragents/registry/tool/list", { page_size: 500 });
      expect(tools.find(({ name }) => name === "mcp/used__write")).toMatchObject({ source: "mcp" });
      await world().client.call("_cleveragents/registry/action/add", {
        file: "mcp.yaml",
        document: JSON.stringify({
          name: "calls-mcp",
          description: "Calls a tool of an MCP server",
          definition_of_done: "it is called",
          script: {
            steps: [
              {
                name: "write",
                call: {
                  tool: "mcp/used__write",
                  arguments: { path: `${world().repository.root}/by-mcp.txt`, text: "by a tool" },
                },
              },
              { say: { text: "{{ results.write.text }}" } },
              { call: { tool: "mcp/used__contents" } },
            ],
          },
        }),
      });
      const { plan_id } = await use(world(), "calls-mcp" as never, { automation_profile: "trusted" });
      const plan = await atRest(world().client, plan_id);
      expect(plan).toMatchObject({ phase: "execute", state: "complete" });
      const { files } = await world().client.call("_cleveragents/plan/diff", { plan_id });
      expect(files.map(({ path }) => path)).toEqual(["by-mcp.txt"]);
      const { artifacts = [] } = await world().client.call("GetTask", { id: plan_id });
      expect(artifacts.find(({ artifactId }) => artifactId === "step-2-parts")?.parts[0]).toMatchObject({
        mediaType: "image/png",
      });
    });

    test("says of a server that cannot be used why, and goes on with the others", async () => {
      await register("fine");
      await register("broken", "exit");
      const { servers } = await world().client.call("_cleveragents/registry/mcp/refresh", {});
      expect(servers.find(({ name }) => name === "local/fine")).toMatchObject({ status: "refreshed" });
      expect(servers.find(({ name }) => name === "local/broken")).toMatchObject({
        status: "failed",
        reason: "MCP_CONNECTION",
        message: expect.stringContaining("missing API key"),
      });
    });

    refusals("_cleveragents/registry/mcp/refresh", world, {
      InvalidParams: {
        "a name that is none": ({ client }) =>
          client.call("_cleveragents/registry/mcp/refresh", { name: "two words" }),
      },
      EntryNotFound: {
        "a server that is not registered": {
          reason: "MCP_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/registry/mcp/refresh", { name: "nobody" }),
        },
      },
      Forbidden: {
        "a caller who may read, and no more": (w) =>
          w.as("reader", ["registry:read"]).client.call("_cleveragents/registry/mcp/refresh", {}),
      },
    });
  });

  const redirect_uri = "http://127.0.0.1:4711/callback";
  const registerWeb = async (
    name: string,
    url: string,
    trust = true,
    oauth: object = { oauth: { login: true } },
  ) =>
    await world().client.call("_cleveragents/registry/mcp/add", {
      document: JSON.stringify({ name, url, protocol: "legacy", ...oauth }),
      trust,
    });
  const begin = async (name: string) =>
    await world().client.call("_cleveragents/registry/mcp/login", { name, redirect_uri });

  describe("_cleveragents/registry/mcp/login", () => {
    test("begins with an address, ends with what the browser brings back, and is forgotten on demand", async () => {
      await registerWeb("web", web.url);
      const { authorization_url, state, name } = await begin("web");
      expect(name).toBe("local/web");
      expect(new URL(authorization_url).searchParams.get("code_challenge_method")).toBe("S256");
      const code = (await web.visit(authorization_url)).get("code") ?? "";
      const ended = await world().client.call("_cleveragents/registry/mcp/authorize", { state, code });
      expect(ended).toEqual({ name: "local/web", authorized: true });
      const tested = await world().client.call("_cleveragents/registry/mcp/test", { name: "web" });
      expect(tested.tools.map((tool) => tool.name)).toEqual(["token"]);
      for (const forgotten of [true, false])
        expect(await world().client.call("_cleveragents/registry/mcp/logout", { name: "web" })).toEqual({
          name: "local/web",
          forgotten,
        });
      await expect(
        world().client.call("_cleveragents/registry/mcp/test", { name: "web" }),
      ).rejects.toMatchObject({
        reason: "MCP_AUTHENTICATION",
        message: expect.stringContaining("agents mcp login"),
      });
    });

    refusals("_cleveragents/registry/mcp/login", world, {
      InvalidParams: {
        "an address to come back to that is none": ({ client }) =>
          client.call("_cleveragents/registry/mcp/login", { name: "web", redirect_uri: "there" }),
      },
      EntryNotFound: {
        "a server that is not registered": { reason: "MCP_NOT_FOUND", attempt: () => begin("nobody") },
      },
      TrustRequired: {
        "a server that nobody has consented to": async () => {
          await registerWeb("web-untrusted", web.url, false);
          return await begin("web-untrusted");
        },
      },
      ToolServerFailed: {
        "a server that is not there": {
          reason: "MCP_CONNECTION",
          attempt: async () => {
            await registerWeb("web-gone", "http://127.0.0.1:1/mcp");
            return await begin("web-gone");
          },
        },
        "a server whose document says nothing of a login": {
          reason: "MCP_AUTHENTICATION",
          attempt: async () => {
            await registerWeb("web-plain", web.url, true, {});
            return await begin("web-plain");
          },
        },
      },
      Forbidden: {
        "a caller who may not consent": (w) =>
          w
            .as("writer", ["registry:write"])
            .client.call("_cleveragents/registry/mcp/login", { name: "web", redirect_uri }),
      },
    });
  });

  describe("_cleveragents/registry/mcp/authorize", () => {
    refusals("_cleveragents/registry/mcp/authorize", world, {
      InvalidParams: {
        "no code": ({ client }) =>
          client.call("_cleveragents/registry/mcp/authorize", { state: "s", code: "" }),
      },
      InvalidState: {
        "a login that nobody has begun": {
          reason: "LOGIN_NOT_FOUND",
          attempt: ({ client }) =>
            client.call("_cleveragents/registry/mcp/authorize", { state: "s", code: "c" }),
        },
      },
      ToolServerFailed: {
        "a code that the server has not given": {
          reason: "MCP_AUTHENTICATION",
          attempt: async ({ client }) => {
            await registerWeb("web-code", web.url);
            const { state } = await begin("web-code");
            return await client.call("_cleveragents/registry/mcp/authorize", { state, code: "made-up" });
          },
        },
      },
      Forbidden: {
        "a caller who may not consent": (w) =>
          w
            .as("writer", ["registry:write"])
            .client.call("_cleveragents/registry/mcp/authorize", { state: "s", code: "c" }),
      },
    });
  });

  describe("_cleveragents/registry/mcp/logout", () => {
    refusals("_cleveragents/registry/mcp/logout", world, {
      InvalidParams: {
        "a name that is none": ({ client }) =>
          client.call("_cleveragents/registry/mcp/logout", { name: "two words" }),
      },
      Forbidden: {
        "a caller who may not consent": (w) =>
          w
            .as("writer", ["registry:write"])
            .client.call("_cleveragents/registry/mcp/logout", { name: "web" }),
      },
    });
  });
}
