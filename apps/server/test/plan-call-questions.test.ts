import { atRest } from "@cleveragents/testing";
import { HOSTILE_MCP_SERVER } from "@cleveragents/testing/services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openThinking, type Thinking } from "./llm-server.ts";

// One product for all: what they need of it takes longer than what they do.
let server: Thinking;
beforeAll(async () => {
  server = await openThinking(() => ({ text: "the model says so" }));
  const { client } = server;
  const document = JSON.stringify({
    name: "asking",
    command: process.execPath,
    args: ["--disable-warning=ExperimentalWarning", HOSTILE_MCP_SERVER],
    protocol: "legacy",
    include: ["question", "sample"],
    sampling: "test/model",
  });
  await client.call("_cleveragents/registry/mcp/add", { document, trust: true });
  await client.call("_cleveragents/registry/mcp/refresh", { name: "asking" });
  const careful = "name: careful\ndescription: x\nextends: trusted\nthresholds: { access_network: 1 }\n";
  await client.call("_cleveragents/profile/add", { document: careful });
  const strict =
    "name: strict\ndescription: x\nextends: trusted\nguards: { tool_denylist: ['mcp/sampling'] }\n";
  await client.call("_cleveragents/profile/add", { document: strict });
});
afterAll(() => server[Symbol.asyncDispose]());

const answer = (plan_id: string, option: string) =>
  server.client.call("_cleveragents/plan/approve", { plan_id, option });
const written = async (plan_id: string) =>
  (await server.client.call("_cleveragents/plan/diff", { plan_id })).patch;

const ASKING = `  steps:
    - write: { path: before.txt, content: x }
    - name: colour
      call: { tool: builtin/ask, arguments: { question: Which colour?, options: [red, { id: b, label: Blue }] } }
    - write: { path: colour.txt, content: "{{ results.colour.choice }} {{ results.colour.text }}" }
`;

describe("a tool that asks", () => {
  test("has the plan wait, and the answer is its result, also when the process has died meanwhile", async () => {
    const plan_id = await server.plan(ASKING);
    const waiting = await atRest(server.client, plan_id);
    expect(waiting.waiting_for).toMatchObject({
      kind: "question",
      prompt: "Which colour?",
      options: [
        { id: "red", label: "red" },
        { id: "b", label: "Blue" },
      ],
      free_text: false,
    });
    expect(waiting.steps.map(({ status }) => status)).toEqual(["done", "running", "pending"]);
    await server.killAndStart();
    await expect(answer(plan_id, "green")).rejects.toMatchObject({ code: -32602 });
    await answer(plan_id, "b");
    const done = await atRest(server.client, plan_id);
    expect(done.steps.map(({ status }) => status)).toEqual(["done", "done", "done"]);
    expect(await written(plan_id)).toContain("+b b");
  });

  test("takes any text where it offers no options", async () => {
    const plan_id = await server.plan(ASKING.replace(/, options: .*\] \}/, " }"));
    const asked = await atRest(server.client, plan_id);
    expect(asked.waiting_for).toMatchObject({ options: [], free_text: true });
    await answer(plan_id, "violet");
    await atRest(server.client, plan_id);
    expect(await written(plan_id)).toContain("+text violet");
  });
});

test("what an MCP server asks in a call is a question of its plan, and the call is made again with the answer", async () => {
  const schema = "{ type: object, properties: { n: { type: integer } }, required: [n] }";
  const plan_id = await server.plan(`  steps:
    - name: asked
      call: { tool: mcp/asking__question, arguments: { message: How many?, requestedSchema: ${schema} } }
    - write: { path: n.txt, content: "{{ results.asked.text }}" }
`);
  const waiting = await atRest(server.client, plan_id);
  expect(waiting.waiting_for).toMatchObject({
    kind: "question",
    prompt: expect.stringContaining("local/asking asks: How many?"),
    details: { mcp_server: "local/asking", schema: { required: ["n"] } },
  });
  await server.client.call("_cleveragents/plan/approve", { plan_id, text: "7" });
  await atRest(server.client, plan_id);
  expect(await written(plan_id)).toContain('+{"action":"accept","content":{"n":7}}');
});

describe("what an MCP server asks a model", () => {
  const script = `  steps:
    - name: said
      call:
        tool: mcp/asking__sample
        arguments: { maxTokens: 50, messages: [{ role: user, content: { type: text, text: hello } }] }
    - write: { path: said.txt, content: "{{ results.said.text }}" }
`;

  test("is refused where the profile denies it", async () => {
    const plan_id = await server.plan(script, "strict");
    await atRest(server.client, plan_id);
    expect(await written(plan_id)).toContain("does not let mcp/asking__sample ask a model");
    expect(server.models.requests).toEqual([]);
  });

  test("is answered and charged to the plan, once a human has let it where the profile does not", async () => {
    const plan_id = await server.plan(script, "careful");
    const waiting = await atRest(server.client, plan_id);
    expect(waiting.waiting_for).toMatchObject({
      details: { model: "test/model", input: "sampling:consent" },
    });
    await answer(plan_id, "allow");
    await atRest(server.client, plan_id);
    expect(await written(plan_id)).toContain("the model says so");
    const { models } = await server.client.call("_cleveragents/usage/show", { plan_id });
    expect(models).toMatchObject([{ model: "test/model", role: "sampling", calls: 1 }]);
  });
});
