import { readFile } from "node:fs/promises";
import type { ToolProvider } from "@cleveragents/application";
import { STEP_SCHEMAS } from "@cleveragents/domain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Altered, openAltered } from "./altered-server.ts";
import { atRest } from "./llm-server.ts";

const described = {
  description: "x",
  source: "custom" as const,
  inputSchema: {},
  readOnly: false,
  idempotent: false,
};
const called: string[] = [];

/** Two tools that need no files: one that only looks, and one that does what cannot be undone. */
const provider: ToolProvider = {
  list: () => [
    { ...described, name: "test/look", input: STEP_SCHEMAS.delete, effect: "none" },
    { ...described, name: "test/fire", input: STEP_SCHEMAS.delete, effect: "irreversible" },
  ],
  async call(name, { path }) {
    called.push(`${name} ${String(path)}`);
    return { value: { path: path ?? null }, summary: `${name} at ${String(path)}` };
  },
};

let server: Altered;
beforeAll(async () => {
  server = await openAltered((adapters) => ({ toolProviders: [...adapters.toolProviders, provider] }));
  for (const document of [
    await readFile(new URL("../../../examples/tool-actor.yaml", import.meta.url), "utf8"),
    "name: looker\ntype: tool\ndescription: x\ntool: test/look\narguments: { path: '{{ args.where }}' }\n",
    "name: firer\ntype: tool\ndescription: x\ntool: test/fire\narguments: { path: '{{ args.text }}' }\n",
    "name: writer\ntype: tool\ndescription: x\ntool: builtin/write_file\narguments: { path: '{{ args.file }}', content: hello }\n",
  ])
    await server.client.call("_cleveragents/registry/actor/add", { document });
});
afterAll(() => server[Symbol.asyncDispose]());

const run = (params: { name: string; text?: string; parts?: { data: object }[]; unsafe?: boolean }) =>
  server.client.call("_cleveragents/registry/actor/run", params as never); // data is any JSON

describe("an actor that is a tool", () => {
  test("is one step of a plan, with the arguments of its action", async () => {
    const document =
      "name: write\ndescription: x\ndefinition_of_done: x\nexecution_actor: local/writer\narguments: [{ name: file }]\n";
    await server.client.call("_cleveragents/registry/action/add", { document });
    const { plan_id } = await server.client.call("_cleveragents/plan/use", {
      action_name: "write",
      project: "demo",
      arguments: { file: "a.txt" },
      automation_profile: "trusted",
    });
    expect(await atRest(server.client, plan_id)).toMatchObject({
      waiting_for: { kind: "apply" },
      changes: { files: 1 },
      steps: [{ label: expect.stringContaining("builtin/write_file"), status: "done" }],
    });
  });

  test("answers with what its tool says, called with what was said", async () => {
    const ran = await run({ name: "looker", parts: [{ data: { where: "north" } }] });
    expect(ran).toMatchObject({
      response: "test/look at north",
      task: {
        status: { state: "TASK_STATE_COMPLETED", message: { parts: [{}, { data: { path: "north" } }] } },
      },
    });
  });

  test("says what is wrong with what it was given", async () => {
    expect(await run({ name: "looker", text: "x" })).toMatchObject({
      response: expect.stringContaining("args.where"),
      task: { status: { state: "TASK_STATE_FAILED" } },
    });
  });

  test("does what cannot be undone only for who has said that it may", async () => {
    expect(await run({ name: "firer", text: "the moon" })).toMatchObject({
      response: expect.stringContaining("cannot be undone"),
      task: { status: { state: "TASK_STATE_REJECTED" } },
    });
    expect(called).not.toContain("test/fire the moon");
    expect(await run({ name: "firer", text: "the moon", unsafe: true })).toMatchObject({
      response: "test/fire at the moon",
    });
    const { session_id } = await server.client.call("session.create", { actor: "local/firer" });
    const told = await server.client.call("_cleveragents/session/tell", { session_id, text: "the sun" });
    expect(told.response).toContain("cannot be undone");
    expect(called).toEqual(["test/look north", "test/fire the moon"]);
  });

  test("that asks first is not called by the way", async () => {
    expect(await run({ name: "page-reader", text: "https://example.com/" })).toMatchObject({
      response: expect.stringContaining("run it as unsafe"),
      task: { status: { state: "TASK_STATE_REJECTED" } },
    });
  });

  test("whose templates cannot be read is refused when it is registered", async () => {
    const document =
      "name: broken\ntype: tool\ndescription: x\ntool: test/look\narguments: { path: '{{ args. }}' }\n";
    await expect(server.client.call("_cleveragents/registry/actor/add", { document })).rejects.toMatchObject({
      code: -32602,
    });
  });
});

describe("a graph that calls tools", () => {
  let graphs = 0;
  const graph = async (nodes: string) => {
    const name = `graph-${++graphs}`;
    const document = `name: ${name}\ntype: graph\ndescription: x\n${nodes}`;
    await server.client.call("_cleveragents/registry/actor/add", { document });
    return `local/${name}`;
  };
  const LOOKS = "nodes: { look: { type: tool, tool: test/look, arguments: { path: '{{ input }}' } } }\n";

  test("does so in a session, charged to it, and calls none when that is used up", async () => {
    const actor = await graph(LOOKS);
    const { session_id } = await server.client.call("session.create", { actor, budget: { tool_calls: 1 } });
    const tell = (text: string) => server.client.call("_cleveragents/session/tell", { session_id, text });
    const before = called.length;
    expect((await tell("south")).response).toBe("path: south");
    expect((await tell("east")).task?.status).toMatchObject({
      state: "TASK_STATE_FAILED",
      message: { metadata: { reason: "BUDGET_EXCEEDED", budget: "tool_calls" } },
    });
    expect(called.slice(before)).toEqual(["test/look south"]);
  });

  test.each([
    ["test/fire", "test/fire may do what cannot be undone"],
    ["builtin/shell", "builtin/shell works on the files of a project"],
    ["test/nothing", "there is no tool test/nothing"],
  ])("cannot open a session with %s, which is told by its node", async (tool, why) => {
    const actor = await graph(
      `entry_node: look\nnodes:\n  look: { type: tool, tool: test/look, arguments: { path: a } }\n  next: { type: tool, tool: ${tool}, arguments: { path: b } }\nedges: [{ from: look, to: next }]\n`,
    );
    await expect(server.client.call("session.create", { actor })).rejects.toThrow(
      `${actor} cannot answer in a session: next: ${why}`,
    );
    // Nothing of it is done before that is seen.
    const before = called.length;
    expect((await run({ name: actor, text: "x" })).task?.status.state).toBe("TASK_STATE_REJECTED");
    expect(called.slice(before)).toEqual([]);
  });

  test("does what cannot be undone for who says that it may", async () => {
    const actor = await graph("nodes: { fire: { type: tool, tool: test/fire, arguments: { path: b } } }\n");
    expect((await run({ name: actor, text: "x", unsafe: true })).response).toBe("path: b");
  });
});
