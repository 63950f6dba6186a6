import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { storeListing, ToolError, TrustRequiredError } from "@cleveragents/application";
import type { JsonObject, McpListing } from "@cleveragents/domain";
import { expect, test, vi } from "vitest";
import { startDigest } from "../../src/mcp/executable-of.ts";
import { toolOutcome } from "../../src/mcp/tool-outcome.ts";
import { failure, McpWorld } from "./mcp-fixtures.ts";

/** Found once: what the server offers is the same each time. */
let offered: McpListing | undefined;

/** A provider of a world where one hostile server is registered and known. */
async function known(world: McpWorld, more: JsonObject = {}) {
  const server = world.hostile("good", more);
  await world.register(server);
  offered ??= { ...(await world.discover(server)).listing, found_at: 1 };
  world.demanded.length = 0;
  await storeListing(world.registry, server.name, { ...offered, of: startDigest(server) });
  const provider = world.provider();
  await provider.load();
  return provider;
}

test("500 tools of 20 servers are listed while none of them runs", async () => {
  await using world = new McpWorld();
  for (let n = 0; n < 20; n += 1) {
    const server = world.server({ name: `local/s${n}`, command: "/no/such/program" });
    await world.register(server);
    const tools = Array.from({ length: 25 }, (_, t) => ({
      name: `tool-${t}`,
      description: `tool ${t}`,
      inputSchema: { type: "object" },
      hints: {},
    }));
    await storeListing(world.registry, server.name, {
      of: startDigest(server),
      server: { name: "s", version: "1" },
      protocol: "2025-11-25",
      era: "legacy",
      hash: String(n),
      found_at: 1,
      tools,
      refused: [],
      warnings: [],
    });
  }
  const provider = world.provider();
  expect(provider.list()).toEqual([]);
  await provider.load();
  const names = provider.list().map(({ name }) => name);
  expect(new Set(names).size).toBe(500);
  expect(names).toContain("mcp/s19__tool-24");
  expect(world.demanded).toEqual([]);
});

test("a tool is called by its own name, with what it was given and nothing turned into something else", async () => {
  await using world = new McpWorld();
  const provider = await known(world);
  const call = async (name: string, args: JsonObject) => {
    const descriptor = provider.list().find((tool) => tool.name === name);
    return await provider.call(name, descriptor?.input.parse(args) ?? {}, world.context());
  };
  expect((await call("mcp/hostile__echo", {})).value).toEqual({ text: "{}" });
  expect((await call("mcp/hostile__strict", { n: "007", m: null })).value).toEqual({ text: '{"n":"007"}' });
  await expect(call("mcp/hostile__strict", { n: 7 })).rejects.toThrow("must be string");
  await expect(call("mcp/hostile__strict", { x: 1 })).rejects.toThrow("unknown key");
});

test("every kind of content is kept: texts to be read, the rest as parts and in words", async () => {
  await using world = new McpWorld();
  const provider = await known(world);
  const said: string[] = [];
  const result = await provider.call(
    "mcp/hostile__contents",
    {},
    world.context({ onOutput: (chunk) => said.push(chunk) }),
  );
  expect(result.value).toMatchObject({
    text: "line one\nline two\nof a resource",
    structured: { answer: 42 },
    content: [
      { type: "image", mimeType: "image/png", bytes: 21 },
      { type: "audio", mimeType: "audio/wav" },
      { type: "resource_link", uri: "file:///x", name: "x" },
      { type: "resource", uri: "mem://text" },
      { type: "resource", uri: "mem://blob", mimeType: "application/pdf" },
      { type: "hologram", frames: 3 },
    ],
  });
  expect(result.parts?.map(({ kind, mediaType }) => mediaType ?? kind)).toEqual([
    "image/png",
    "audio/wav",
    "data",
    "application/pdf",
    "data",
  ]);
  expect(said.join("")).toBe("line one\nline two\nof a resource\n");
});

test("an answer that is not what the tool has promised is kept, and said to be wrong", () => {
  const outputSchema = { type: "object", properties: { answer: { type: "number" } }, required: ["answer"] };
  const outcome = (structuredContent: unknown) =>
    toolOutcome("local/s", { name: "t", outputSchema }, { content: [], structuredContent }, undefined).value;
  expect(outcome({ answer: 42 })).toEqual({ text: "", structured: { answer: 42 } });
  expect(outcome({ answer: "42" })).toEqual({
    text: "",
    structured: { answer: "42" },
    structured_problem: "answer: must be number",
  });
});

test("of a long text the plan keeps beginning and end, and the output has all of it", async () => {
  await using world = new McpWorld();
  const provider = await known(world);
  let whole = 0;
  const { value } = await provider.call(
    "mcp/hostile__big",
    { bytes: 5_000_000 },
    world.context({ onOutput: (chunk) => (whole += chunk.length) }),
  );
  expect(whole).toBe(5_000_001);
  expect(String(value["text"])).toMatch(/x\n\[… 4934464 characters cut …\]\nx/);
});

test("a tool that fails is a failure for the actor, in the tool's words", async () => {
  await using world = new McpWorld();
  const provider = await known(world);
  const error = await failure(provider.call("mcp/hostile__fail", {}, world.context()));
  expect(error).toBeInstanceOf(ToolError);
  expect(error).toMatchObject({ reason: "MCP_TOOL_FAILED", details: { text: "the disk is made of cheese" } });
  expect(error.message).toBe("fail of local/hostile failed: the disk is made of cheese");
});

test("a server that dies is a failure of the call alone, with its last words", async () => {
  await using world = new McpWorld();
  const provider = await known(world);
  const error = await failure(provider.call("mcp/hostile__die", {}, world.context()));
  expect(error).toMatchObject({
    reason: "MCP_CONNECTION",
    details: { server: "local/hostile", stderr: "fatal: the cat sat on the keyboard\n" },
  });
  expect((await provider.call("mcp/hostile__echo", {}, world.context())).value).toEqual({ text: "{}" });
});

test("nothing is started that nobody has consented to, and the refusal says how to", async () => {
  await using world = new McpWorld();
  const provider = await known(world);
  world.trust.demand = async () => {
    throw new TrustRequiredError("mcp", "local/hostile", "sha256:1", false);
  };
  const error = await failure(provider.call("mcp/hostile__echo", {}, world.context()));
  expect(error).toMatchObject({
    reason: "TRUST_REQUIRED",
    details: { command: "agents trust add mcp local/hostile --digest sha256:1" },
  });
  expect(await world.running()).toBe(0);
});

test("what is consented to is command, arguments, environment and what is handed on, without its values", async () => {
  await using world = new McpWorld();
  world.env["API_TOKEN"] = "a-secret-of-the-host";
  await world.discover(world.hostile("good", { env: { A: "b" }, env_from: ["API_TOKEN"] }));
  expect(world.demanded[0]).toMatchObject({
    kind: "mcp",
    name: "local/hostile",
    command: process.execPath,
    environment: { A: "b", API_TOKEN: "$API_TOKEN", "mcp:sandbox": "none" },
  });
});

test("what a server was trusted with does not come back in its results", async () => {
  await using world = new McpWorld();
  world.env["API_TOKEN"] = "a-secret-of-the-host";
  const provider = await known(world, { env_from: ["API_TOKEN"] });
  const { value } = await provider.call("mcp/hostile__env", {}, world.context());
  expect(String(value["text"])).toContain('"API_TOKEN":"[redacted]"');
  expect(JSON.stringify(value)).not.toContain("a-secret-of-the-host");
});

test("hints of a server grant nothing; who registers it does, unless the server itself warns", async () => {
  await using world = new McpWorld();
  const provider = await known(world, { read_only_tools: ["echo", "strict"] });
  const of = (name: string) => provider.list().find((tool) => tool.name === `mcp/hostile__${name}`);
  expect(of("write")).toMatchObject({ readOnly: false, idempotent: false, effect: "irreversible" });
  expect(of("echo")).toMatchObject({ readOnly: true, idempotent: true, effect: "none" });
  const looking = world.context({ readOnly: true });
  expect(await failure(provider.call("mcp/hostile__write", {}, looking))).toMatchObject({
    reason: "READ_ONLY",
  });
  expect((await provider.call("mcp/hostile__echo", {}, looking)).value).toEqual({ text: "{}" });
});

test("what a server may do in the plan's sandbox is undone with it; with a network it is not", async () => {
  await using world = new McpWorld();
  const provider = await known(world, { sandbox: "plan" });
  expect(provider.list()[0]).toMatchObject({ effect: "sandbox", readOnly: false });
  expect(provider.list()[0]?.networkOf?.({})).toBe(false);
});

test("tools are filtered by the document, and a list is not another server's of the same name", async () => {
  await using world = new McpWorld();
  const provider = await known(world, { include: ["e*", "fail"], exclude: ["env"] });
  expect(provider.list().map(({ name }) => name)).toEqual(["mcp/hostile__echo", "mcp/hostile__fail"]);
  const entry = await world.registry.find("mcp", "local/hostile");
  await world.registry.replace({ ...entry!, document: { ...entry!.document, command: "/bin/false" } });
  await provider.changed();
  expect(provider.list()).toEqual([]);
});

test("a server that is taken back cannot be called any more, and does not run on", async () => {
  await using world = new McpWorld();
  const provider = await known(world);
  await provider.call("mcp/hostile__echo", {}, world.context());
  expect(await world.running()).toBe(1);
  await world.registry.remove("mcp", "local/hostile");
  const error = await failure(provider.call("mcp/hostile__echo", {}, world.context()));
  expect(error).toMatchObject({ reason: "TOOL_UNKNOWN" });
  expect(await world.running()).toBe(0);
});

test("tools that a server adds while it runs are offered soon, and whoever is told of it is told", async () => {
  await using world = new McpWorld();
  const told = vi.fn();
  const server = world.hostile();
  await world.register(server);
  const { listing } = await world.discover(server);
  await storeListing(world.registry, server.name, { ...listing, found_at: 1 });
  const provider = world.provider({ onToolsChanged: told });
  await provider.load();
  await provider.call("mcp/hostile__grow", {}, world.context());
  await vi.waitFor(
    () => expect(provider.list().map(({ name }) => name)).toContain("mcp/hostile__t0"),
    10_000,
  );
  expect(told).toHaveBeenCalledWith("local/hostile");
});

test("a server of a plan works in the plan's sandbox, and ends when the plan rests", async () => {
  await using world = new McpWorld();
  const provider = await known(world, { sandbox: "plan" });
  writeFileSync(path.join(world.folder, "in.txt"), "of the copy");
  const context = world.context();
  const { projectRoot } = context.sandbox;
  // This runner isolates nothing: paths are turned, both ways.
  const read = await provider.call("mcp/hostile__read", { path: `${projectRoot}/in.txt` }, context);
  expect(read.value).toEqual({ text: "of the copy" });
  const wrote = await provider.call(
    "mcp/hostile__write",
    { path: `${projectRoot}/out.txt`, text: "x" },
    context,
  );
  expect(wrote.summary).toContain("write of local/hostile");
  expect(readFileSync(path.join(world.folder, "out.txt"), "utf8")).toBe("x");
  const outside = { path: `${projectRoot}/../out.txt` };
  expect(await failure(provider.call("mcp/hostile__read", outside, context))).toMatchObject({
    reason: "PATH_OUTSIDE",
  });
  await provider.call("mcp/hostile__echo", {}, world.context({ planId: "plan-2" }));
  expect(await world.running()).toBe(2);
  await provider.rest("plan-1");
  expect(await world.running()).toBe(1);
  await provider.close();
  expect(await world.running()).toBe(0);
});

test("one bad server among several loses its own tools only, and those that start slowly are waited for", async () => {
  await using world = new McpWorld();
  const more = { timeouts: { start: 20 } };
  const servers = [
    { ...world.hostile("good", more), name: "local/good" },
    { ...world.hostile("hang-start", { timeouts: { start: 1.5 } }), name: "local/hang" },
    { ...world.hostile("exit", more), name: "local/exit" },
    { ...world.hostile("slow-start", more), name: "local/slow" },
  ];
  for (const server of servers) await world.register(server);
  const provider = world.provider();
  const { McpService } = await import("@cleveragents/application");
  const service = new McpService({
    registry: world.registry,
    discovery: provider,
    login: provider,
    clock: { now: () => 1 },
  });
  const refreshed = await service.refresh(undefined, new AbortController().signal);
  expect(refreshed.map(({ name, status }) => [name, status])).toEqual([
    ["local/exit", "failed"],
    ["local/good", "refreshed"],
    ["local/hang", "failed"],
    ["local/slow", "refreshed"],
  ]);
  expect(refreshed[0]).toMatchObject({ message: expect.stringContaining("missing API key") });
  expect(refreshed[2]).toMatchObject({ reason: "MCP_TIMEOUT" });
  const servingNames = new Set(provider.list().map(({ name }) => name.split("__")[0]));
  expect([...servingNames]).toEqual(["mcp/good", "mcp/slow"]);
  expect(await world.running()).toBe(0);
});
