import { eventOf, logOf } from "@cleveragents/testing";
import type { ScriptedAnswer } from "@cleveragents/testing/model-server";
import { describe, expect, test } from "vitest";
import { atRest, openThinking, type Thinking, WHOLE_TASK } from "./llm-server.ts";

const call = (name: string, args: object) => ({ name, arguments: args as Record<string, unknown> });
const STRATEGY = {
  decisions: [
    {
      id: "how",
      question: "How is the sum mended?",
      alternatives: [
        { id: "plus", description: "Add in place of subtracting" },
        { id: "rewrite", description: "Write it anew" },
      ],
      choice: "plus",
      confidence: 0.9,
      rationale: "The operator is wrong.",
    },
  ],
  steps: ["Change the operator in sum.mjs", "Run the test"],
};

/** A small project with a test that fails, and what a model that knows its trade says about it. */
const BROKEN = "export const sum = (a, b) => a - b;\n";
const TEST =
  'import { sum } from "./sum.mjs";\nif (sum(2, 3) !== 5) { console.error("sum is wrong"); process.exit(1); }\n';
const CODING: readonly ScriptedAnswer[] = [
  { text: "I look at it.", calls: [call("list_files", {}), call("read_file", { path: "sum.mjs" })] },
  { calls: [call("submit_strategy", STRATEGY)] },
  { text: "First I see the test fail.", calls: [call("shell", { command: ["node", "sum.test.mjs"] })] },
  {
    calls: [
      call("record_decision", {
        question: "What is changed?",
        choice: "the operator",
        rationale: "It is the smallest change.",
      }),
      call("edit_file", { path: "sum.mjs", find: "a - b", replace: "a + b" }),
      call("shell", { command: ["node", "sum.test.mjs"] }),
    ],
  },
  { text: "The sum adds now, and its test passes." },
];

async function openCoding(answers: Parameters<typeof openThinking>[0] = CODING, options = {}) {
  const server = await openThinking(answers, options);
  await server.repository.write("sum.mjs", BROKEN);
  await server.repository.write("sum.test.mjs", TEST);
  return server;
}

async function eventsOf({ client }: Thinking, plan_id: string, pattern: RegExp) {
  return (await logOf(client, plan_id)).map(eventOf).filter((event) => pattern.test(event?.event ?? ""));
}

function messagesOf(server: Thinking, n: number) {
  return server.models.requests[n - 1]?.body["messages"] as { role: string; content: unknown }[];
}

describe.each(["openai", "anthropic"] as const)(
  "a plan whose actor is a model, spoken to as %s does,",
  (kind) => {
    test(
      "decides, works, tests and offers its change, and its model knows what came of each call",
      WHOLE_TASK,
      async () => {
        await using server = await openCoding(CODING, { kind });
        const plan_id = await server.task("Make the test of sum.mjs pass");
        const status = await atRest(server.client, plan_id);
        expect(status).toMatchObject({
          state: "complete",
          waiting_for: { kind: "apply" },
          changes: { files: 1, insertions: 1, deletions: 1 },
          steps: [
            { label: "shell node sum.test.mjs", status: "failed" },
            { label: "edit_file sum.mjs", status: "done" },
            { label: "shell node sum.test.mjs", status: "done" },
          ],
        });
        expect(server.models.requests).toHaveLength(5);
        const told = JSON.stringify(messagesOf(server, 4));
        expect(told).toContain("COMMAND_FAILED");
        expect(told).toContain("sum is wrong");
        expect(JSON.stringify(messagesOf(server, 3))).toContain(
          "plus: Add in place of subtracting (The operator is wrong.)",
        );
        const tree = await server.client.call("_cleveragents/plan/tree", { plan_id });
        expect(JSON.stringify(tree)).toMatch(/How is the sum mended.*What is changed/s);

        await server.client.call("_cleveragents/plan/apply", { plan_id, digest: status.digest! });
        expect(await atRest(server.client, plan_id)).toMatchObject({ state: "applied" });
        expect((await server.repository.read("sum.mjs")).toString()).toBe(BROKEN.replace("-", "+"));
      },
    );
  },
);

describe("a plan whose actor is a model", () => {
  const write = (path: string, content = "x") => call("write_file", { path, content });
  const NOTHING: ScriptedAnswer = { calls: [call("submit_strategy", { decisions: [], steps: [] })] };
  const answer = async (server: Thinking, plan_id: string, option: string, text?: string) => {
    await server.client.call("_cleveragents/plan/approve", {
      plan_id,
      option,
      ...(text === undefined ? {} : { text }),
    });
    return atRest(server.client, plan_id);
  };

  test("charges what its server counts, and stops before its budget is exceeded", async () => {
    const prices = "    models: { model: { output: 400, prices: { input: 3, output: 15 } } }\n";
    let n = 0;
    const answers = () => (n++ === 0 ? NOTHING : { text: "On and on.", calls: [write(`f${n}`)] });
    await using server = await openThinking(answers, { provider: prices, actor: "max_tokens: 200\n" });
    const plan_id = await server.task("Write files for ever", "trusted", "budget: { tokens: 30000 }\n");
    const status = await atRest(server.client, plan_id);
    expect(status.waiting_for).toMatchObject({ kind: "budget", details: { budget: "tokens", limit: 30000 } });
    const { input, output } = server.models.used;
    expect(status.budget?.used).toMatchObject({ tokens: input + output });
    expect(status.budget?.used.cost_usd).toBeCloseTo((input * 3 + output * 15) / 1e6, 4);
    expect(input + output).toBeLessThanOrEqual(30000);
    const asked = server.models.requests.length;

    server.models.say(() => ({ text: "Enough." }));
    expect(await answer(server, plan_id, "raise")).toMatchObject({ waiting_for: { kind: "apply" } });
    expect(server.models.requests).toHaveLength(asked + 1);
  });

  test("has its calls of tools asked about as all are, and hears that one was refused", async () => {
    await using server = await openThinking([
      NOTHING,
      { calls: [call("shell", { command: "rm -rf build && echo gone" }), write("a")] },
      { text: "Then not." },
    ]);
    const document = "name: wary\ndescription: x\nextends: auto\nguards: { commands: { ask: ['rm *'] } }\n";
    await server.client.call("_cleveragents/profile/add", { document });
    const plan_id = await server.task("Tidy up", "wary");
    expect(await atRest(server.client, plan_id)).toMatchObject({ waiting_for: { kind: "guard" } });
    const status = await answer(server, plan_id, "deny");
    expect(status).toMatchObject({
      waiting_for: { kind: "apply" },
      steps: [{ status: "failed" }, { label: "write_file a", status: "done" }],
    });
    expect(JSON.stringify(messagesOf(server, 3))).toContain("The user has refused this call");
  });

  test("may be a provider's own model, by its name and without a file", async () => {
    const provider = (url: string) => `  ollama: { base_url: '${url}' }\n`;
    await using server = await openThinking([NOTHING, { text: "Nothing is to be done." }], { provider });
    const document =
      "name: local-model\ndescription: x\ndefinition_of_done: x\nexecution_actor: ollama/qwen2.5-coder:7b\n";
    await server.client.call("_cleveragents/registry/action/add", { document });
    const { plan_id } = await server.client.call("_cleveragents/plan/use", {
      action_name: "local-model",
      project: "demo",
      automation_profile: "trusted",
    });
    expect(await atRest(server.client, plan_id)).toMatchObject({ state: "applied" });
    expect(server.models.requests.map(({ body }) => body["model"])).toEqual([
      "qwen2.5-coder:7b",
      "qwen2.5-coder:7b",
    ]);
    const used = await server.client.call("_cleveragents/usage/show", { plan_id });
    expect(used).toMatchObject({ unpriced_models: ["ollama/qwen2.5-coder:7b"], total: { calls: 2 } });
    expect(used.total).not.toHaveProperty("cost_usd");
  });

  test("may ask the user, and knows the answer", async () => {
    await using server = await openThinking([
      NOTHING,
      { calls: [call("ask_user", { question: "Which name?", options: ["a", "b"] })] },
      { text: "So it is." },
    ]);
    const plan_id = await server.task("Name it");
    expect(await atRest(server.client, plan_id)).toMatchObject({
      waiting_for: { kind: "question", prompt: "Which name?", options: [{ label: "a" }, { label: "b" }] },
    });
    await answer(server, plan_id, "option-2");
    expect(JSON.stringify(messagesOf(server, 3))).toContain("The user answers: ");
  });

  test("is asked about a decision of which its model is not sure, as its profile says", async () => {
    const unsure = { ...STRATEGY, decisions: [{ ...STRATEGY.decisions[0], confidence: 0.1 }] };
    await using server = await openThinking([
      { calls: [call("submit_strategy", unsure)] },
      { text: "Done." },
    ]);
    const document = "name: careful\ndescription: x\nextends: auto\nthresholds: { edit_code: 0.5 }\n";
    await server.client.call("_cleveragents/profile/add", { document });
    const plan_id = await server.task("Mend it", "careful");
    const status = await atRest(server.client, plan_id);
    expect(status.waiting_for).toMatchObject({
      kind: "question",
      details: { decision: "how", proposed: "plus" },
    });
    await answer(server, plan_id, "rewrite");
    const tree = await server.client.call("_cleveragents/plan/tree", { plan_id });
    expect(JSON.stringify(tree)).toMatch(/"rewrite"/);
    expect(server.models.requests).toHaveLength(2);
    expect(JSON.stringify(messagesOf(server, 2))).toContain("rewrite: Write it anew (chosen by");
  });

  test("has broken calls refused with their reason, and fails after too many in a row", async () => {
    let n = 0;
    const answers = (): ScriptedAnswer =>
      n++ === 0
        ? NOTHING
        : { calls: [{ name: "write_file", arguments: '{"path": "a", "content": "unfinis' }] };
    await using server = await openThinking(answers, { actor: "limits: { mistakes: 2 }\n" });
    const plan_id = await server.task("Write");
    expect(await atRest(server.client, plan_id)).toMatchObject({
      waiting_for: { kind: "retry" },
      error: { reason: "MODEL_BAD_RESPONSE", message: expect.stringContaining("not a JSON object") },
      steps: [],
    });
    expect(JSON.stringify(messagesOf(server, 3))).toContain("Write the whole call again");

    server.models.say([{ calls: [write("a", "finished")] }, { text: "Done." }]);
    expect(await answer(server, plan_id, "retry")).toMatchObject({
      waiting_for: { kind: "apply" },
      steps: [{ label: "write_file a", status: "done" }],
    });
  });

  test.each([
    [401, "MODEL_AUTH", "TASK_STATE_AUTH_REQUIRED"],
    [503, "MODEL_UNAVAILABLE", "TASK_STATE_INPUT_REQUIRED"],
  ])(
    "whose server says %i stops with %s at %s, and goes on from there",
    async (status, reason, task_state) => {
      await using server = await openThinking([NOTHING, { calls: [write("a")] }, { status }]);
      const document = "name: asking\ndescription: x\nextends: auto\nthresholds: { modify_config: 1 }\n";
      await server.client.call("_cleveragents/profile/add", { document });
      const plan_id = await server.task("Write", "asking");
      expect(await atRest(server.client, plan_id)).toMatchObject({
        task_state,
        error: { reason },
        waiting_for: { kind: "retry" },
      });
      server.models.say([{ text: "Done." }]);
      expect(await answer(server, plan_id, "retry")).toMatchObject({
        waiting_for: { kind: "apply" },
        steps: [{ label: "write_file a" }],
      });
      expect(JSON.stringify(messagesOf(server, 4))).toContain("write_file");
    },
  );

  test("is asked about the same call made again and again", async () => {
    let n = 0;
    const answers = () => (n++ === 0 ? NOTHING : { calls: [call("read_file", { path: "README.md" })] });
    await using server = await openThinking(answers);
    const plan_id = await server.task("Read");
    expect(await atRest(server.client, plan_id)).toMatchObject({
      waiting_for: { kind: "guard", details: { guard: "loop" } },
    });
  });

  test("that is taken back to a checkpoint thinks anew from there, and knows nothing of what was undone", async () => {
    await using server = await openThinking([
      NOTHING,
      { text: "One.", calls: [write("one")] },
      { text: "Two.", calls: [write("two"), write("three")] },
      { text: "Done." },
    ]);
    const plan_id = await server.task("Count");
    const offered = await atRest(server.client, plan_id);
    expect(offered).toMatchObject({ changes: { files: 3 } });
    await server.client.call("_cleveragents/plan/rollback", { plan_id, checkpoint: "step-1" });
    await atRest(server.client, plan_id);
    server.models.say([{ text: "Another two.", calls: [write("zwei")] }, { text: "Done again." }]);
    const status = await answer(server, plan_id, "yes");
    expect(status).toMatchObject({
      changes: { files: 2 },
      steps: [{ label: "write_file one" }, { label: "write_file zwei" }],
    });
    const known = JSON.stringify(messagesOf(server, 5));
    expect(known).toContain("One.");
    expect(known).not.toContain("Two.");
  });

  test("says in its log what the model says, while it says it, and what it was asked", async () => {
    await using server = await openThinking([
      NOTHING,
      { text: "I write a.", calls: [write("a")] },
      { text: "Done." },
    ]);
    const plan_id = await server.task("Write");
    await atRest(server.client, plan_id);
    const names = (await eventsOf(server, plan_id, /^model\./)).map((event) => event?.event);
    expect(names).toEqual([
      ...["model.asked", "model.answered"],
      ...["model.asked", "model.output", "model.answered"],
      ...["model.asked", "model.output", "model.answered", "model.finished"],
    ]);
  });
});

describe("a plan whose actor is a model, cut off", () => {
  const NOTHING: ScriptedAnswer = { calls: [call("submit_strategy", { decisions: [], steps: [] })] };

  test("in a call makes no recorded call again, and asks the model nothing again", async () => {
    const made: string[] = [];
    let hang = true;
    await using server = await openThinking(
      [
        NOTHING,
        {
          calls: [
            call("write_file", { path: "a", content: "x" }),
            call("edit_file", { path: "a", find: "x", replace: "y" }),
          ],
        },
        { text: "Done." },
      ],
      {
        alter: ({ toolProviders }) => ({
          toolProviders: toolProviders.map((provider) => ({
            list: () => provider.list(),
            async call(name, args, context) {
              made.push(name);
              const result = await provider.call(name, args, context);
              // The effect is there, and nobody hears of it.
              if (name === "builtin/edit_file" && hang) await new Promise(() => {});
              return result;
            },
          })),
        }),
      },
    );
    const plan_id = await server.task("Write and edit");
    await expect.poll(() => made).toEqual(["builtin/write_file", "builtin/edit_file"]);
    hang = false;
    await server.killAndStart();
    expect(await atRest(server.client, plan_id)).toMatchObject({
      waiting_for: { kind: "apply" },
      steps: [{ status: "done" }, { status: "done" }],
    });
    expect(made).toEqual(["builtin/write_file", "builtin/edit_file", "builtin/edit_file"]);
    expect(server.models.requests).toHaveLength(3);
  });

  test("while the model speaks asks it the same again, and what it had said gives way to what it says now", async () => {
    await using server = await openThinking([NOTHING, { text: "I had an idea that", hangAfter: 3 }]);
    const plan_id = await server.task("Write");
    await expect
      .poll(async () => (await eventsOf(server, plan_id, /^model\.output/)).length)
      .toBeGreaterThan(0);
    server.models.say([{ text: "Nothing is to be done." }]);
    await server.killAndStart();
    expect(await atRest(server.client, plan_id)).toMatchObject({ state: "applied" });
    expect(server.models.requests[2]?.body).toEqual(server.models.requests[1]?.body);
    const task = await server.client.call("GetTask", { id: plan_id });
    expect(JSON.stringify(task)).toContain("Nothing is to be done.");
    expect(JSON.stringify(task)).not.toContain("I had an idea");
  });
});
