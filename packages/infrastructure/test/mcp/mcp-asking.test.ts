import { InputNeededError, storeListing, type ToolContext, ToolError } from "@cleveragents/application";
import type { JsonObject, McpListing } from "@cleveragents/domain";
import { describe, expect, test } from "vitest";
import { startDigest } from "../../src/mcp/executable-of.ts";
import { failure, McpWorld } from "./mcp-fixtures.ts";

const LISTING: Omit<McpListing, "of"> = {
  server: { name: "s", version: "1" },
  protocol: "2025-11-25",
  era: "legacy",
  hash: "1",
  found_at: 1,
  tools: ["question", "sample"].map((name) => ({
    name,
    description: name,
    inputSchema: { type: "object" },
    hints: {},
  })),
  refused: [],
  warnings: [],
};
const FORM = {
  message: "How many?",
  requestedSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
};
const ASKED = { messages: [{ role: "user", content: { type: "text", text: "hello" } }], maxTokens: 100 };

async function open(world: McpWorld, more: JsonObject = {}) {
  const server = world.hostile("good", { sandbox: "plan", ...more });
  await world.register(server);
  await storeListing(world.registry, server.name, { ...LISTING, of: startDigest(server) });
  const provider = world.provider();
  await provider.load();
  return async (tool: string, args: JsonObject, context: Partial<ToolContext> = {}) => {
    const result = await provider.call(`mcp/hostile__${tool}`, args, world.context(context));
    return JSON.parse(String(result.value["text"]));
  };
}

describe("what a server asks the user in a call", () => {
  test("ends the call with the question, and the call that is made with the answer gives it to the server", async () => {
    await using world = new McpWorld();
    const call = await open(world);
    const needed = (await failure(call("question", FORM, { inputs: [] }))) as InputNeededError;
    expect(needed).toBeInstanceOf(InputNeededError);
    expect(needed.question).toMatchObject({ freeText: true, prompt: expect.stringContaining("How many?") });
    const { key } = needed.question;
    const wrong = { key, value: { choice: "text", text: "many" } };
    const again = (await failure(call("question", FORM, { inputs: [wrong] }))) as InputNeededError;
    expect(again.question.prompt).toContain("n is to be a number");
    const right = { key: again.question.key, value: { choice: "text", text: "3" } };
    expect(await call("question", FORM, { inputs: [wrong, right] })).toEqual({
      action: "accept",
      content: { n: 3 },
    });
    const declined = { key, value: { choice: "decline" } };
    expect(await call("question", FORM, { inputs: [declined] })).toEqual({ action: "decline" });
  });

  test("is refused where nobody can be asked, and where the call could not be made again", async () => {
    await using world = new McpWorld();
    const call = await open(world);
    expect(await call("question", FORM)).toMatchObject({
      code: -32603,
      message: expect.stringContaining("nobody"),
    });
    await using outside = new McpWorld();
    const apart = await open(outside, { sandbox: "none" });
    expect(await apart("question", FORM, { inputs: [] })).toMatchObject({
      message: expect.stringContaining("cannot be undone"),
    });
  });
});

describe("what a server asks a model in a call", () => {
  const sample: NonNullable<ToolContext["sample"]> = async (model, request) => {
    if (request.messages[0]?.text === "much") throw new ToolError("BUDGET_EXCEEDED", "the budget is used up");
    return { text: `${model} heard ${request.messages[0]?.text}`, toolCalls: [], stop: "end" };
  };

  test("is answered by the one that its document names, and is not even offered by one that names none", async () => {
    await using world = new McpWorld();
    const call = await open(world, { sampling: "test/model" });
    expect(await call("sample", ASKED, { sample, inputs: [] })).toEqual({
      role: "assistant",
      model: "test/model",
      content: { type: "text", text: "test/model heard hello" },
      stopReason: "endTurn",
    });
    expect(world.demanded[0]?.environment).toMatchObject({ "mcp:sampling": "test/model" });
    await using silent = new McpWorld();
    expect(await (await open(silent))("sample", ASKED, { sample })).toMatchObject({ code: -32601 });
  });

  test("is refused in words where there is no model, no money, or something else than text", async () => {
    await using world = new McpWorld();
    const call = await open(world, { sampling: "test/model" });
    expect(await call("sample", ASKED)).toMatchObject({ message: expect.stringContaining("no model") });
    const much = { ...ASKED, messages: [{ role: "user", content: { type: "text", text: "much" } }] };
    expect(await call("sample", much, { sample })).toMatchObject({ message: "the budget is used up" });
    const picture = {
      messages: [{ role: "user", content: { type: "image", data: "AA==", mimeType: "image/png" } }],
      maxTokens: 1,
    };
    expect(await call("sample", picture, { sample })).toMatchObject({ code: -32602 });
  });
});
