import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { storeListing } from "@cleveragents/application";
import { McpServerSchema } from "@cleveragents/domain";
import { McpToolProvider } from "@cleveragents/infrastructure/mcp";
import { InMemoryRegistryStore } from "@cleveragents/infrastructure/memory";
import { describe, expect, test, vi } from "vitest";
import { MODERN, NEEDED, published, ServerWorld } from "./mcp-servers.ts";

describe("server-everything", () => {
  test.each([
    ["sse", "sse", "/sse"],
    ["streamableHttp", "http", "/mcp"],
  ])("over %s", async (mode, transport, at) => {
    await using world = new ServerWorld();
    const port = await world.listen(published("everything", mode));
    const adapter = world.adapter({ transport, url: `http://127.0.0.1:${port}${at}` });
    expect((await adapter.discoverTools()).map(({ name }) => name)).toContain("echo");
    expect((await adapter.invoke("echo", { message: "hello" })).value["text"]).toContain("hello");
    expect(
      (await adapter.invoke("trigger-long-running-operation", { duration: 1, steps: 4 })).summary,
    ).toContain("called");
  });
});

test("server-memory keeps a graph while it runs", async () => {
  await using world = new ServerWorld();
  const memory = path.join(world.folder, "memory.json");
  const program = published("memory");
  const adapter = world.adapter({ ...program, env: { WORLD: world.token, MEMORY_FILE_PATH: memory } });
  await adapter.connect();
  const entities = [{ name: "cat", entityType: "animal", observations: ["sits on keyboards"] }];
  await adapter.invoke("create_entities", { entities });
  expect(JSON.stringify((await adapter.invoke("read_graph", {})).value)).toContain("sits on keyboards");
});

test("server-sequential-thinking takes one thought after the other", async () => {
  await using world = new ServerWorld();
  const adapter = world.adapter(published("sequential-thinking"));
  await adapter.connect();
  const thought = { thought: "think", thoughtNumber: 1, totalThoughts: 2, nextThoughtNeeded: true };
  expect((await adapter.invoke("sequentialthinking", thought)).value["text"]).toContain('"thoughtNumber": 1');
});

describe("a server of the newer era", () => {
  test.each([
    ["auto", "stdio"],
    ["2026-07-28", "stdio"],
    ["legacy", "stdio"],
    ["auto", "http"],
    ["2026-07-28", "http"],
    ["legacy", "http"],
  ])("is spoken to as %s over %s, and tells of new tools", async (protocol, over) => {
    await using world = new ServerWorld();
    const document =
      over === "stdio"
        ? { ...MODERN, protocol }
        : {
            url: `http://127.0.0.1:${await world.listen({ ...MODERN, args: [...MODERN.args, "http"] })}/mcp`,
            protocol,
          };
    const adapter = world.adapter(document);
    expect((await adapter.discoverTools()).map(({ name }) => name)).toEqual(["count", "grow"]);
    expect((await adapter.invoke("count", { text: "four" })).value).toEqual({
      text: "four",
      structured: { length: 4 },
    });
    const changed = vi.fn();
    adapter.onToolsChanged(changed);
    await adapter.invoke("grow", {});
    // In the older era over HTTP nobody is told: the next start, or ten minutes, find it.
    if (protocol !== "legacy" || over === "stdio")
      await vi.waitFor(() => expect(changed).toHaveBeenCalled(), 20_000);
    const again = await adapter.discoverTools();
    expect(again.map(({ name }) => name)).toContain("grown-1");
    await adapter.disconnect();
    if (over === "stdio") expect(await world.running()).toBe(0);
  });
});

test("server-filesystem in a plan's sandbox sees the copy in the project's place, and nothing of the host", async (context) => {
  await using world = new ServerWorld();
  if ((await world.isolation.probe()).level !== "full")
    return context.skip("commands cannot be isolated here");
  const project = path.join(world.folder, "project");
  const copy = path.join(world.folder, "copy");
  for (const [at, text] of [
    [project, "of the host"],
    [copy, "of the copy"],
  ] as const) {
    mkdirSync(at);
    writeFileSync(path.join(at, "f.txt"), text);
  }
  const registry = new InMemoryRegistryStore();
  const server = McpServerSchema.parse({
    name: "local/fs",
    ...published("filesystem", "{{ project }}"),
    readable: [NEEDED],
  });
  const document = JSON.parse(JSON.stringify(server));
  await registry.add({ kind: "mcp", name: server.name, document, createdAt: 1, updatedAt: 1 });
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const provider = new McpToolProvider({
    ...world.places,
    credentials: path.join(world.folder, "credentials.json"),
    registry,
    logger: silent,
    now: () => 1,
  });
  const { listing, leftRunning, level } = await provider.discover(server, new AbortController().signal);
  expect({ leftRunning, level }).toEqual({ leftRunning: 0, level: "full" });
  await storeListing(registry, server.name, { ...listing, found_at: 1 });
  await provider.load();
  const plan = world.context(realpathSync(copy), realpathSync(project));
  const read = await provider.call("mcp/fs__read_text_file", { path: `${project}/f.txt` }, plan);
  expect(read.value["text"]).toBe("of the copy");
  await provider.call("mcp/fs__write_file", { path: `${project}/new.txt`, content: "made" }, plan);
  expect(readFileSync(path.join(copy, "new.txt"), "utf8")).toBe("made");
  expect(readFileSync(path.join(project, "f.txt"), "utf8")).toBe("of the host");
  await expect(provider.call("mcp/fs__read_text_file", { path: "/etc/hostname" }, plan)).rejects.toThrow(
    "failed",
  );
  await expect(
    provider.call(
      "mcp/fs__write_file",
      { path: `${project}/no.txt`, content: "x" },
      { ...plan, readOnly: true },
    ),
  ).rejects.toThrow();
  await provider.close();
});
