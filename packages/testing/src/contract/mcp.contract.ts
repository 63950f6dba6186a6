import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOSTILE_MCP_SERVER } from "../services/hostile-mcp-server-path.ts";
import { atRest } from "../world/following.ts";
import { type OpenWorld, use, type World } from "../world/world.ts";
import { refusals } from "./refusals.ts";

/** What is special about MCP servers: they are tested and refreshed, and their tools are called by plans. */
export function mcpContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open();
  });
  afterAll(() => shared[Symbol.asyncDispose]());
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
}
