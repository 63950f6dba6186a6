import { atRest } from "@cleveragents/testing";
import { HOSTILE_MCP_SERVER } from "@cleveragents/testing/services";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Altered, openAltered } from "./altered-server.ts";

let server: Altered;
beforeAll(async () => {
  server = await openAltered();
});
afterAll(() => server[Symbol.asyncDispose]());

const SERVER = {
  name: "files",
  command: process.execPath,
  args: ["--disable-warning=ExperimentalWarning", HOSTILE_MCP_SERVER],
  protocol: "legacy",
  include: ["echo"],
  read_only_tools: ["echo"],
};
const TOOL = { name: "status", description: "What is so", command: ["echo", "fine"], read_only: true };

async function addSkill(name: string, more: object, trust = false) {
  const document = JSON.stringify({ skill: { name, ...more } });
  return server.client.call("_cleveragents/registry/skill/add", { document, update: true, trust });
}

const toolNames = async () =>
  (await server.client.call("_cleveragents/registry/tool/list", { page_size: 500 })).tools.map(
    ({ name }) => name,
  );

async function called(tool: string) {
  const { plan_id } = await server.client.call("_cleveragents/plan/create", {
    plan_definition: {
      name: "x",
      steps: [{ type: "tool", action: tool, params: { a: 1 } }] as never,
    },
    project: "demo",
    automation_profile: "trusted",
  });
  return atRest(server.client, plan_id);
}

test("a server in a skill's document is a server under the skill's name: trusted, listed and gone as the skill is", async () => {
  const { client } = server;
  expect(await addSkill("own", { mcp_servers: [SERVER], anonymous_tools: [TOOL] })).toMatchObject({
    mcp_servers: ["local/own__files"],
  });
  const { mcp_servers } = await client.call("_cleveragents/registry/mcp/list", {});
  expect(mcp_servers).toMatchObject([
    { name: "local/own__files", from_skill: "local/own", command: process.execPath },
  ]);
  expect(await client.call("_cleveragents/registry/mcp/show", { name: "own__files" })).toMatchObject({
    from_skill: "local/own",
    mcp_server: { name: "local/own__files", include: ["echo"] },
  });
  await expect(client.call("_cleveragents/registry/mcp/test", { name: "own__files" })).rejects.toMatchObject({
    message: expect.stringContaining("agents trust add mcp local/own__files --digest sha256:"),
  });
  expect(await client.call("_cleveragents/registry/skill/tools", { name: "own" })).toMatchObject({
    tools: [{ name: "local/own__status" }],
    missing: [{ name: "local/own__files", hint: "agents mcp refresh local/own__files lists its tools" }],
  });

  await addSkill("own", { mcp_servers: [SERVER], anonymous_tools: [TOOL] }, true);
  const { consents } = await client.call("_cleveragents/trust/list", {});
  expect(consents).toMatchObject([
    { kind: "mcp", name: "local/own__files", trusted: true },
    { kind: "tool", name: "local/own__status", trusted: true },
  ]);
  expect(await client.call("_cleveragents/registry/mcp/refresh", {})).toMatchObject({
    servers: [{ name: "local/own__files", status: "refreshed" }],
  });
  const { tools } = await client.call("_cleveragents/registry/skill/tools", { name: "own" });
  expect(tools).toMatchObject([
    { name: "local/own__status", source: "custom", from_skill: "local/own" },
    { source: "mcp:local/own__files", from_skill: "local/own", read_only: true },
  ]);
  const tool = tools[1]?.name as string;
  expect(tool).toMatch(/^mcp\/own__files__echo_[0-9a-f]{10}$/);
  expect(await toolNames()).toContain(tool);
  expect(await called(tool)).toMatchObject({ steps: [{ status: "done" }] });

  await client.call("_cleveragents/registry/skill/remove", { name: "own" });
  expect(await toolNames()).not.toContain(tool);
  expect((await client.call("_cleveragents/registry/mcp/list", {})).mcp_servers).toEqual([]);
  await expect(called(tool)).rejects.toThrow("there is no such tool");
});

test("it is changed and removed with its skill alone, and named by that skill alone", async () => {
  const { client } = server;
  await addSkill("owner", { mcp_servers: [SERVER] });
  const change = {
    code: -32602,
    data: {
      details: expect.arrayContaining([
        expect.objectContaining({
          fieldViolations: [
            expect.objectContaining({
              field: "name",
              description: "local/owner__files stands in the document of the skill local/owner: change that",
            }),
          ],
        }),
      ]),
    },
  };
  await expect(
    client.call("_cleveragents/registry/mcp/remove", { name: "owner__files" }),
  ).rejects.toMatchObject(change);
  const document = JSON.stringify({ ...SERVER, name: "owner__files" });
  await expect(client.call("_cleveragents/registry/mcp/update", { document })).rejects.toMatchObject(change);
  await expect(addSkill("other", { mcp_servers: ["local/owner__files"] })).rejects.toMatchObject({
    data: { reason: "MCP_NOT_FOUND" },
  });
});
