import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RemoteGraphActorSchema } from "@cleveragents/domain";
import { remoteGraphSuite } from "@cleveragents/testing";
import { expect, test } from "vitest";
import { HttpRemoteAgents } from "../../src/a2a-agents/index.ts";
import { FakeGraphServer } from "./fake-graph-server.ts";

const never = new AbortController().signal;

remoteGraphSuite(async () => {
  const server = await FakeGraphServer.start();
  const agents = new HttpRemoteAgents({ env: {}, dataDir: tmpdir(), loopback: () => true });
  return { url: server.url, agents, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
});

test("a graph's key is sent as it says, and no other that stands in the environment", async () => {
  await using server = await FakeGraphServer.start();
  const env = { MINE: "mine-1", LANGSMITH_API_KEY: "not-mine", LANGGRAPH_API_KEY: "not-mine" };
  const agents = new HttpRemoteAgents({ env, dataDir: tmpdir(), loopback: () => true });
  const actor = (more: object) =>
    RemoteGraphActorSchema.parse({
      ...{ name: "local/g", type: "remote_graph", description: "x" },
      ...{ url: server.url, graph_id: "asker" },
      ...more,
    });
  process.env["LANGSMITH_API_KEY"] = "not-mine";
  try {
    await agents.probe(actor({}), never);
    await agents.probe(actor({ credential: { env: "MINE" } }), never);
    await agents.probe(actor({ credential: { env: "MINE", header: "x-other" } }), never);
  } finally {
    delete process.env["LANGSMITH_API_KEY"];
  }
  expect([...new Set(server.requests.map(({ key }) => key))]).toEqual([undefined, "mine-1"]);
});

test("a server that is away is unavailable, and has surely been given nothing", async () => {
  const server = await FakeGraphServer.start();
  const { url } = server;
  await server[Symbol.asyncDispose]();
  const agents = new HttpRemoteAgents({ env: {}, dataDir: tmpdir(), loopback: () => true });
  const actor = RemoteGraphActorSchema.parse({
    ...{ name: "local/g", type: "remote_graph", description: "x" },
    ...{ url, graph_id: "asker" },
  });
  const agent = await agents.open(actor, never);
  const message = { messageId: "m", parts: [{ kind: "text", text: "hello" }], place: {} } as const;
  await expect(agent.send(message, never)).rejects.toMatchObject({
    reason: "REMOTE_UNAVAILABLE",
    unsent: true,
  });
  expect(await agents.probe(actor, never)).toMatchObject([
    {},
    { probe: "server", verdict: "failed", detail: expect.stringContaining("nobody answers at") },
  ]);
});

test("a key in a file is used if nobody else can read it", async () => {
  await using server = await FakeGraphServer.start();
  const dataDir = await mkdtemp(join(tmpdir(), "keys-"));
  try {
    await mkdir(join(dataDir, "keys"));
    await writeFile(join(dataDir, "keys", "graph"), "file-1\n", { mode: 0o600 });
    const agents = new HttpRemoteAgents({ env: {}, dataDir, loopback: () => true });
    const actor = RemoteGraphActorSchema.parse({
      ...{ name: "local/g", type: "remote_graph", description: "x" },
      ...{ url: server.url, graph_id: "asker", credential: { file: "graph" } },
    });
    await agents.probe(actor, never);
    expect(server.requests.map(({ key }) => key)).toContain("file-1");
    await chmod(join(dataDir, "keys", "graph"), 0o644);
    const asked = server.requests.length;
    expect(await agents.probe(actor, never)).toMatchObject([
      { probe: "credential", verdict: "failed", detail: expect.stringContaining("chmod 600") },
    ]);
    expect(server.requests).toHaveLength(asked);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
