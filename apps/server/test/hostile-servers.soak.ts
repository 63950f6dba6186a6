import { randomUUID } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventOf, logOf } from "@cleveragents/testing";
import { HOSTILE_MCP_SERVER } from "@cleveragents/testing/services";
import { expect, test } from "vitest";
import { atRest, openThinking } from "./llm-server.ts";

/** What each server is like when it is called, the call, and what the model hears of it. */
const SERVERS: Readonly<Record<string, readonly [mode: string, tool: string, args: object, heard: string]>> =
  {
    good: ["good", "echo", { a: 1 }, '{"a":1}'],
    hanging: ["hang-start", "echo", {}, "MCP server local/hanging: it did not answer within 10 s"],
    exiting: [
      "exit",
      "echo",
      {},
      "MCP server local/exiting: it ended with exit code 3: fatal: missing API key",
    ],
    flooding: ["flood-stderr", "echo", { a: 2 }, '{"a":2}'],
    noisy: ["stdout-noise", "echo", { a: 3 }, '{"a":3}'],
    large: ["good", "big", { bytes: 50_000_000 }, "it sent a message of more than 10485760 bytes"],
    endless: ["endless-pages", "echo", { a: 4 }, '{"a":4}'],
    odd: ["bad-shapes", "echo", { a: 5 }, '{"a":5}'],
    stubborn: ["ignore-term", "echo", { a: 6 }, '{"a":6}'],
    fertile: ["grandchildren", "echo", { a: 7 }, '{"a":7}'],
    dying: [
      "good",
      "die",
      {},
      "MCP server local/dying: it ended with exit code 7: fatal: the cat sat on the keyboard",
    ],
    silent: ["good", "hang", {}, "MCP server local/silent: it did not answer in time"],
    cut: ["good", "half", {}, "MCP server local/cut: it ended with exit code 0, in the middle of a message"],
  };

async function running(token: string): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const environments = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/environ`, "latin1").catch(() => "")),
  );
  return environments.filter((text) => text.includes(`WORLD=${token}`)).length;
}

test("servers in every bad way fail alone and in clear words, the plan goes on, its first turn waits for none, and none is left", {
  timeout: 180_000,
}, async () => {
  const token = randomUUID();
  const calls = Object.entries(SERVERS).map(([name, [, tool, args]]) => ({
    name: `mcp_${name}__${tool}`,
    arguments: args as Record<string, unknown>,
  }));
  await using server = await openThinking(
    [
      { calls: [{ name: "submit_strategy", arguments: { decisions: [], steps: [] } }] },
      { calls },
      { calls: [{ name: "write_file", arguments: { path: "done.txt", content: "done\n" } }] },
      { text: "Done." },
    ],
    { actor: 'tools: ["builtin/write_file", "mcp/*"]\nlimits: { tool_result: 2000 }\n' },
  );
  const modeOf = (name: string) => join(server.folder, `${name}.mode`);
  for (const [name, [, tool]] of Object.entries(SERVERS)) {
    await writeFile(modeOf(name), "good");
    // What it is like is no part of what is consented to: a server can turn bad.
    const line = `exec "${process.execPath}" --disable-warning=ExperimentalWarning "${HOSTILE_MCP_SERVER}" "$(cat "${modeOf(name)}")"`;
    const document = JSON.stringify({
      ...{ name, command: "sh", args: ["-c", line], env: { WORLD: token }, sandbox: "none" },
      ...{ protocol: "legacy", include: [tool], read_only_tools: ["*"], idle: 1 },
      timeouts: { start: name === "hanging" ? 10 : 60, call: name === "silent" ? 3 : 60 },
    });
    await server.client.call("_cleveragents/registry/mcp/add", { document, trust: true });
  }
  const { servers } = await server.client.call("_cleveragents/registry/mcp/refresh", {});
  expect(servers.map(({ status }) => status)).toEqual(Object.keys(SERVERS).map(() => "refreshed"));
  expect(await running(token)).toBe(0);
  for (const [name, [mode]] of Object.entries(SERVERS)) await writeFile(modeOf(name), mode);

  const plan_id = await server.task("Call them all", "full-auto");
  const status = await atRest(server.client, plan_id);
  expect(status).toMatchObject({ state: "applied" });
  const messages = server.models.requests[2]?.body["messages"] as { role: string; content: unknown }[];
  const heard = messages
    .filter(({ role }) => role === "tool")
    .map(({ content }) => JSON.stringify(content).replaceAll("\\", ""));
  expect(heard).toHaveLength(calls.length);
  for (const [n, [name, [, , , words]]] of Object.entries(SERVERS).entries())
    expect(heard[n], name).toContain(words);
  const events = (await logOf(server.client, plan_id)).map(eventOf);
  const at = (event: string) => events.findIndex((one) => one?.event === event);
  expect(at("model.answered")).toBeLessThan(at("tool.invoked"));
  // Those that are not of one plan alone stay until nobody has called them for a while.
  await expect.poll(() => running(token), { timeout: 60_000 }).toBe(0);
});
