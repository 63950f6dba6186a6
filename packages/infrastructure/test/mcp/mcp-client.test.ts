import { expect, test, vi } from "vitest";
import { failure, McpWorld, textIn } from "./mcp-fixtures.ts";

test("a server is started by the first call, once for all that come together", async () => {
  await using world = new McpWorld();
  const states: string[] = [];
  const client = world.client(world.hostile(), { onState: (_from, to) => states.push(to) });
  expect(client.state).toBe("STOPPED");
  const results = await Promise.all(Array.from({ length: 20 }, (_, i) => client.callTool("echo", { i })));
  expect(results.map(textIn)).toEqual(Array.from({ length: 20 }, (_, i) => `{"i":${i}}`));
  expect(client.starts).toBe(1);
  await client.stop();
  expect(states).toEqual(["STARTING", "RUNNING", "STOPPING", "STOPPED"]);
});

test("a server that has had nothing to do is stopped, and started again by the next call", async () => {
  await using world = new McpWorld();
  const client = world.client(world.hostile(), { autoStopIdleSecs: 0.05 });
  await client.callTool("echo", {});
  await vi.waitFor(() => expect(client.state).toBe("STOPPED"), 10_000);
  expect(await world.running()).toBe(0);
  await client.callTool("echo", {});
  expect(client.starts).toBe(2);
});

test("a call that takes longer than the server may be idle is not cut off", async () => {
  await using world = new McpWorld();
  const server = world.hostile("good", { timeouts: { call: 1, total: 5 } });
  const client = world.client(server, { autoStopIdleSecs: 0.05 });
  await client.callTool("echo", {});
  expect(await failure(client.callTool("hang", {}))).toMatchObject({ reason: "MCP_TIMEOUT" });
  expect(client.starts).toBeLessThan(3);
});

test("a server that died is an error of the calls in flight, and is started anew for the next", async () => {
  await using world = new McpWorld();
  const client = world.client(world.hostile());
  await client.callTool("echo", {});
  const lost = await Promise.all([client.callTool("hang", {}), client.callTool("die", {})].map(failure));
  expect(lost.map(({ reason }) => reason)).toEqual(["MCP_CONNECTION", "MCP_CONNECTION"]);
  expect(client.state).toBe("ERROR");
  expect(textIn(await client.callTool("echo", { again: true }))).toBe('{"again":true}');
  expect(client.starts).toBe(2);
});

test("who cancels a call is told so at once, and the server goes on", async () => {
  await using world = new McpWorld();
  const client = world.client(world.hostile());
  await client.callTool("echo", {});
  const cancelling = new AbortController();
  const call = failure(client.callTool("hang", {}, { signal: cancelling.signal }));
  cancelling.abort();
  expect(await call).toMatchObject({ reason: "CANCELLED" });
  expect(textIn(await client.callTool("echo", {}))).toBe("{}");
  expect(client.starts).toBe(1);
});

test("who cancels while a server starts does not wait for it", async () => {
  await using world = new McpWorld();
  const client = world.client(world.hostile("hang-start"));
  const call = failure(client.callTool("echo", {}, { signal: AbortSignal.timeout(100) }));
  expect(await call).toMatchObject({ reason: "CANCELLED" });
  await client.close(0);
  expect(await world.running()).toBe(0);
});

test("stopping waits for calls in flight, and ends them after a time", async () => {
  await using world = new McpWorld();
  const client = world.client(world.hostile());
  await client.callTool("echo", {});
  const short = client.callTool("big", { bytes: 1000 });
  await client.stop();
  expect(textIn(await short)).toHaveLength(1000);
  await client.callTool("echo", {});
  const long = failure(client.callTool("hang", {}));
  await new Promise((resolve) => setImmediate(resolve));
  await client.close(50);
  expect(await long).toMatchObject({ reason: "MCP_CONNECTION" });
  expect(await failure(client.callTool("echo", {}))).toMatchObject({ reason: "MCP_STOPPED" });
});

test("progress is told, and gives a call more time", async () => {
  await using world = new McpWorld();
  const client = world.client(world.hostile());
  const told: unknown[] = [];
  await client.callTool("progress", {}, { onProgress: (progress) => told.push(progress) });
  expect(told).toMatchObject([
    { progress: 1, total: 2, message: "step 1" },
    { progress: 2, total: 2, message: "step 2" },
  ]);
});

test("tools may be others after a start, and when the server says so; several times at once count as one", async () => {
  await using world = new McpWorld();
  const changed = vi.fn();
  const client = world.client(world.hostile(), { onToolsChanged: changed });
  await client.callTool("echo", {});
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
  await Promise.all([1, 2, 3].map(() => client.callTool("grow", {})));
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2));
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["t0", "t1", "t2"]),
  );
});

test("a server sees what it is given and the usual variables, and none of the agent's secrets", async () => {
  await using world = new McpWorld();
  world.env["HANDED_ON"] = "a secret that is handed on";
  const server = world.hostile("good", { env: { GIVEN: "yes" }, env_from: ["HANDED_ON", "NOT_SET"] });
  const env = JSON.parse(textIn(await world.client(server).callTool("env", {})));
  expect(env).toMatchObject({
    GIVEN: "yes",
    HANDED_ON: "a secret that is handed on",
    PATH: world.env["PATH"],
  });
  expect(env).not.toHaveProperty("SECRET_X");
  expect(env).not.toHaveProperty("NOT_SET");
});
