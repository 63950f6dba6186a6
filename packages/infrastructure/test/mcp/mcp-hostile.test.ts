import { describe, expect, test } from "vitest";
import { McpError } from "../../src/mcp/mcp-error.ts";
import { failure, McpWorld, textIn } from "./mcp-fixtures.ts";

describe("a server that is in a bad way gives a clear error, and nothing of it is left", () => {
  test.each([
    ["hang-start", { timeouts: { start: 0.8 } }, "MCP_TIMEOUT", "it did not answer within 0.8 s"],
    ["exit", {}, "MCP_CONNECTION", "it ended with exit code 3: fatal: missing API key"],
  ])("at its start: %s", async (mode, more, reason, message) => {
    await using world = new McpWorld();
    const error = await failure(world.discover(world.hostile(mode, more)));
    expect(error).toMatchObject({ name: "McpUnavailableError", reason });
    expect(error.message).toContain(`MCP server local/hostile: ${message}`);
    expect(await world.running()).toBe(0);
  });

  test.each([
    ["die", {}, "MCP_CONNECTION", "it ended with exit code 7: fatal: the cat sat on the keyboard"],
    ["hang", {}, "MCP_TIMEOUT", "it did not answer in time"],
    ["half", {}, "MCP_CONNECTION", "it ended with exit code 0, in the middle of a message"],
    ["big", { bytes: 50_000_000 }, "MCP_CONNECTION", "it sent a message of more than 10485760 bytes"],
  ])("in a call: %s", async (tool, args, reason, message) => {
    await using world = new McpWorld();
    const timeouts = { timeouts: { call: tool === "hang" ? 0.5 : 60 } };
    const client = world.client(world.hostile("good", timeouts));
    const error = await failure(client.callTool(tool, args));
    expect(error).toBeInstanceOf(McpError);
    expect(error).toMatchObject({ reason, server: "local/hostile" });
    expect(error.message).toContain(message);
    await client.close(0);
    expect(await world.running()).toBe(0);
  });

  test.each(["ignore-term", "grandchildren", "flood-stderr", "stdout-noise"])(
    "that works all the same: %s",
    async (mode) => {
      await using world = new McpWorld();
      const client = world.client(world.hostile(mode));
      expect(textIn(await client.callTool("echo", { a: 1 }))).toBe('{"a":1}');
      await client.close();
      expect(client.state).toBe("STOPPED");
      expect(await world.running()).toBe(0);
    },
  );
});

test("a server that dies leaves none of those that it has started", async () => {
  await using world = new McpWorld();
  const client = world.client(world.hostile("grandchildren"));
  await client.callTool("echo", {});
  expect(await world.running()).toBe(3);
  expect(await failure(client.callTool("die", {}))).toMatchObject({ reason: "MCP_CONNECTION" });
  expect(await world.running()).toBe(0);
});

test("a command that does not exist fails at once and is named", async () => {
  await using world = new McpWorld();
  const server = world.server({ name: "nobody", command: "no-such-program-anywhere", sandbox: "none" });
  const error = await failure(world.discover(server));
  expect(error).toMatchObject({ reason: "MCP_CONNECTION" });
  expect(error.message).toContain("the command no-such-program-anywhere was not found");
});

test("a server may write 256 kB to stderr before it answers", async () => {
  await using world = new McpWorld();
  const client = world.client(world.hostile());
  expect(textIn(await client.callTool("flood", { bytes: 262_144 }))).toBe("flooded");
});

test("lines on stdout that are no messages are skipped and counted", async () => {
  await using world = new McpWorld();
  const found = await world.discover(world.hostile("stdout-noise"));
  expect(found.skippedLines).toBeGreaterThan(1);
  expect(found.listing.tools.map(({ name }) => name)).toContain("echo");
});

test("a large result that is allowed comes whole", async () => {
  await using world = new McpWorld();
  const client = world.client(world.hostile("good", { max_message_bytes: 30_000_000 }));
  expect(textIn(await client.callTool("big", { bytes: 20_000_000 }))).toHaveLength(20_000_000);
});

describe("a server of the older era is spoken to as such", () => {
  test.each(["exit-on-probe", "silent-on-probe", "good"])("found out by asking: %s", async (mode) => {
    await using world = new McpWorld();
    const server = world.hostile(mode, { protocol: "auto", timeouts: { start: 5 } });
    const { listing } = await world.discover(server);
    expect(listing).toMatchObject({ era: "legacy", server: { name: "hostile", version: "1.2.3" } });
    expect(await world.running()).toBe(0);
  });

  test("and one that must be of the newer one is refused", async () => {
    await using world = new McpWorld();
    const error = await failure(world.discover(world.hostile("good", { protocol: "2026-07-28" })));
    expect(error.message).toContain("it speaks no version of the protocol that it was asked for");
    expect(await world.running()).toBe(0);
  });
});

test("what a server asks of us that we do not give is refused, and its call goes on", async () => {
  await using world = new McpWorld();
  const client = world.client(world.hostile(), { roots: ["/work/of/somebody"] });
  const answers = JSON.parse(textIn(await client.callTool("ask", {})));
  expect(answers.q1).toMatchObject({ code: -32601 });
  expect(answers.q2).toMatchObject({ code: -32603, message: "nobody can answer that here" });
  expect(answers.q3).toEqual({ roots: [{ uri: "file:///work/of/somebody", name: "project" }] });
});
