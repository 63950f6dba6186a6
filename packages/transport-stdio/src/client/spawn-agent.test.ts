import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import type { StreamFrame } from "@cleveragents/protocol";
import { expect, test, vi } from "vitest";
import { spawnAgent } from "./spawn-agent.ts";

const server = new URL("../server/index.ts", import.meta.url).href;

/** An agent of its own process: it answers `Echo` and `Count`, dies at `Die`, and waits at everything else. */
const AGENT = `
import { serveConnection } from ${JSON.stringify(server)};
async function* count(to) {
  for (let seq = 1; seq <= to; seq++) yield { cursor: "t:" + seq, seq, result: { statusUpdate: { taskId: "t" } } };
}
const dispatcher = {
  async dispatch({ request: { id, method, params } }, { signal }) {
    const serviceParameters = {};
    if (method === "Die") { process.stderr.write("the disk is full\\n"); process.exit(3); }
    if (method === "Echo") return { kind: "one", response: { jsonrpc: "2.0", id, result: params }, serviceParameters };
    if (method === "Count") return { kind: "stream", id, elements: count(params), failed: String, serviceParameters };
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { kind: "none" };
  },
};
process.stderr.write("ready\\n");
const { closed } = serveConnection({ dispatcher, input: process.stdin, output: process.stdout, principal: { id: "local", scopes: [] } });
await closed;
process.stderr.write("bye\\n");
`;

async function agent(script = AGENT, graceMs = 5000) {
  const said = vi.fn();
  const transport = await spawnAgent({
    command: execPath,
    args: ["--conditions=@cleveragents/source", "--input-type=module", "-e", script],
    env: { NODE_NO_WARNINGS: "1" },
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    onStderr: said,
    graceMs,
  });
  return { transport, said: () => said.mock.calls.join("") };
}

const request = (id: number, method: string, params: unknown = {}) =>
  ({ jsonrpc: "2.0", id, method, params }) as const;
const none = { serviceParameters: {} };

async function all(frames: AsyncIterable<StreamFrame>): Promise<StreamFrame[]> {
  const list: StreamFrame[] = [];
  for await (const frame of frames) list.push(frame);
  return list;
}

test("a spawned agent answers, streams, and ends when its stdin does", async () => {
  const { transport, said } = await agent();
  expect(await transport.request(request(0, "Echo", { text: "测试" }), none)).toMatchObject({
    id: 0,
    result: { text: "测试" },
  });
  const frames = await all(transport.stream(request(1, "Count", 500), none));
  expect(frames.at(-1)).toMatchObject({ cursor: "t:500" });
  const waiting = transport.request(request(2, "Wait"), none);
  waiting.catch(() => {});
  await transport[Symbol.asyncDispose]();
  await expect(waiting).rejects.toMatchObject({ reason: "ABORTED" });
  expect(said()).toBe("ready\nbye\n");
});

test("an agent that dies is a lost connection that quotes its exit code and its last words", async () => {
  const { transport } = await agent();
  const waiting = transport.request(request(1, "Die"), none);
  await expect(waiting).rejects.toMatchObject({
    reason: "CONNECTION_LOST",
    message: "the peer ended the connection: the agent exited with code 3; it said:\nready\nthe disk is full",
  });
  await transport[Symbol.asyncDispose]();
});

test("an agent that ignores the end of its stdin and SIGTERM is killed", async () => {
  const { transport, said } = await agent(
    `process.on("SIGTERM", () => process.stderr.write("no")); setInterval(() => {}, 1000); process.stderr.write("ready ")`,
    200,
  );
  await vi.waitFor(() => expect(said()).toBe("ready "), 5000);
  const started = performance.now();
  await transport[Symbol.asyncDispose]();
  expect(performance.now() - started).toBeLessThan(3000);
  expect(said()).toBe("ready no");
});

test("a command that is not there is told with its name and the cause", async () => {
  const spawned = spawnAgent({ command: "/nowhere/agent", env: {} });
  await expect(spawned).rejects.toMatchObject({
    reason: "NOT_CONNECTED",
    message: expect.stringContaining("/nowhere/agent"),
    cause: { code: "ENOENT" },
  });
});
