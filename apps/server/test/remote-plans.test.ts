import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Altered, openAltered } from "./altered-server.ts";
import { atRest } from "./llm-server.ts";
import { type Does, type SampleAgent, startSampleAgent } from "./sample-agent.ts";

const HELLO = {
  raw: Buffer.from("Hello\n").toString("base64"),
  filename: "hello.txt",
  mediaType: "text/plain",
};
const GREETING: Does = (_text, agent) => {
  agent.status("WORKING", "I write.");
  agent.artifact({ artifactId: "a", name: "hello", parts: [HELLO] });
  agent.status("COMPLETED", "It is written.");
};

const example = (name: string) => readFile(new URL(`../../../examples/${name}`, import.meta.url), "utf8");

let server: Altered;
let opened = 0;
beforeAll(async () => {
  server = await openAltered();
});
afterAll(() => server[Symbol.asyncDispose]());

interface Elsewhere extends AsyncDisposable {
  readonly agent: SampleAgent;
  /** Makes a plan of a task for the agent; `action` are more lines of its action. */
  task(description: string, action?: string): Promise<string>;
  rest(plan_id: string): ReturnType<typeof atRest>;
  answer(plan_id: string, option: string): ReturnType<typeof atRest>;
}

/** An agent of its own for a test, registered at the server that all of them share. */
async function open(
  does: Does = GREETING,
  options: Parameters<typeof startSampleAgent>[1] = {},
): Promise<Elsewhere> {
  const agent = await startSampleAgent(does, options);
  const { client } = server;
  const n = ++opened;
  const document = `name: helper-${n}\ntype: a2a\ndescription: x\ncard: ${agent.url}\n`;
  await client.call("_cleveragents/registry/actor/add", { document });
  return {
    agent,
    async task(description, action = "") {
      const text = `name: task-${n}\ndescription: ${JSON.stringify(description)}\ndefinition_of_done: x\nexecution_actor: local/helper-${n}\n${action}`;
      await client.call("_cleveragents/registry/action/add", { document: text });
      const used = await client.call("_cleveragents/plan/use", {
        action_name: `task-${n}`,
        project: "demo",
        automation_profile: "trusted",
      });
      return used.plan_id;
    },
    rest: (plan_id) => atRest(client, plan_id),
    async answer(plan_id, option) {
      await client.call("_cleveragents/plan/approve", { plan_id, option });
      return atRest(client, plan_id);
    },
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
}

describe.each([
  { version: "1.0", streaming: false },
  { version: "0.3", streaming: true },
] as const)("a plan whose actor is an agent of A2A $version (streaming: $streaming)", (kind) => {
  test("has its files as steps and offers them as its change", async () => {
    await using here = await open(GREETING, kind);
    const plan_id = await here.task("Greet");
    const status = await here.rest(plan_id);
    expect(status).toMatchObject({
      waiting_for: { kind: "apply" },
      changes: { files: 1, insertions: 1 },
      steps: [{ label: "write_file hello.txt", status: "done" }],
    });
    expect(here.agent.heard).toHaveLength(1);
    expect(here.agent.heard[0]).toContain("Task: Greet");
  });
});

describe("a plan whose actor is another agent", () => {
  test("is what the examples make of one", async () => {
    await using agent = await startSampleAgent((_text, at) => {
      at.artifact({ artifactId: "a", parts: [{ text: "Hello Ada\n", filename: "hello.txt" }] });
      at.status("COMPLETED", "Written.");
    });
    const actor = (await example("remote-agent.yaml")).replace(/\$\{REMOTE_AGENT:.*\}/, agent.url);
    for (const document of [actor, await example("remote-graph.yaml")])
      await server.client.call("_cleveragents/registry/actor/add", { document });
    const document = await example("remote-write.yaml");
    await server.client.call("_cleveragents/registry/action/add", { document });
    const { plan_id } = await server.client.call("_cleveragents/plan/use", {
      action_name: "remote-write",
      project: "demo",
      arguments: { who: "Ada" },
      automation_profile: "trusted",
    });
    expect(await atRest(server.client, plan_id)).toMatchObject({ changes: { files: 1, insertions: 1 } });
    expect(agent.heard[0]).toContain("- who: Ada");
  });

  test("asks the user what the agent asks, and goes on in the same task with the answer", async () => {
    await using here = await open((text, agent, turn) => {
      if (turn === 1) return agent.status("INPUT_REQUIRED", "Which name?");
      agent.artifact({ artifactId: "a", parts: [{ text: `Hello ${text}\n`, filename: "hello.txt" }] });
      agent.status("COMPLETED", "Done.");
    });
    const plan_id = await here.task("Greet");
    const asked = await here.rest(plan_id);
    expect(asked.waiting_for).toMatchObject({
      kind: "question",
      prompt: expect.stringMatching(/^local\/helper-\d+ asks: Which name\?$/),
    });
    expect(await here.answer(plan_id, "Ada")).toMatchObject({ waiting_for: { kind: "apply" } });
    expect(here.agent.heard).toEqual([expect.stringContaining("Greet"), "Ada"]);
  });

  test("asks the user to identify themselves to the agent, and looks at the same task again", async () => {
    const known = Promise.withResolvers<void>();
    await using here = await open(async (_text, agent) => {
      agent.status("AUTH_REQUIRED", "Sign in at https://id.example");
      await known.promise;
      agent.status("COMPLETED", "Now I know you.");
    });
    const plan_id = await here.task("Greet");
    expect((await here.rest(plan_id)).waiting_for).toMatchObject({
      prompt: expect.stringContaining("wants to know who is asking: Sign in at https://id.example"),
      options: [{ id: "done" }],
    });
    known.resolve();
    expect(await here.answer(plan_id, "done")).toMatchObject({ state: "applied" });
    expect(here.agent.heard).toHaveLength(1);
  });

  test("that has failed says so, and is given the task anew when the user wants that", async () => {
    await using here = await open((_text, agent) => agent.status("FAILED", "I cannot."));
    const plan_id = await here.task("Greet");
    expect(await here.rest(plan_id)).toMatchObject({
      waiting_for: { kind: "retry" },
      error: { reason: "REMOTE_FAILED", message: expect.stringContaining("I cannot.") },
    });
    here.agent.does = GREETING;
    expect(await here.answer(plan_id, "retry")).toMatchObject({ waiting_for: { kind: "apply" } });
    expect(here.agent.heard).toHaveLength(2);
  });

  test("that is away is waited for, and followed in the task that it has", async () => {
    const free = Promise.withResolvers<void>();
    await using here = await open(async (text, agent) => {
      await free.promise;
      await GREETING(text, agent, 1);
    });
    const plan_id = await here.task("Greet");
    await expect.poll(() => here.agent.heard.length, { timeout: 15_000 }).toBe(1);
    await server.killAndStart();
    free.resolve();
    expect(await here.rest(plan_id)).toMatchObject({ waiting_for: { kind: "apply" } });
    expect(here.agent.heard).toHaveLength(1);
  });

  test("stops the agent's task when it is cancelled", async () => {
    await using here = await open(async (_text, agent) => {
      agent.status("WORKING");
      await agent.cancelled;
    });
    const plan_id = await here.task("Greet");
    await expect
      .poll(() => here.agent.calls.some(({ method }) => method === "SubscribeToTask"), { timeout: 15_000 })
      .toBe(true);
    await server.client.call("_cleveragents/plan/cancel", { plan_id });
    await expect.poll(() => here.agent.cancelled.length, { timeout: 15_000 }).toBe(1);
  });

  test("takes its decisions from the agent where it is named for that, and says what is missing", async () => {
    const decisions = [
      {
        id: "how",
        question: "How?",
        alternatives: [{ id: "plainly", description: "As it is" }],
        choice: "plainly",
        confidence: 1,
        rationale: "It is short.",
      },
    ];
    let asked = 0;
    await using here = await open((text, agent, turn) => {
      if (!text.includes("JSON Schema")) return GREETING(text, agent, turn);
      asked += 1;
      if (asked === 1) return agent.status("COMPLETED", '```json\n{"steps": []}\n```');
      agent.status("COMPLETED", undefined, { data: { decisions, steps: ["Write it"] } });
    });
    const plan_id = await here.task("Greet", `strategy_actor: local/helper-${opened}\n`);
    expect(await here.rest(plan_id)).toMatchObject({
      waiting_for: { kind: "retry" },
      error: { reason: "REMOTE_BAD_RESPONSE", message: expect.stringContaining("decisions: ") },
    });
    expect(await here.answer(plan_id, "retry")).toMatchObject({ waiting_for: { kind: "apply" } });
    expect(here.agent.heard[1]).toContain("Your last answer could not be taken: decisions: ");
    expect(here.agent.heard[2]).toContain("How? plainly: As it is (It is short.)");
    const tree = await server.client.call("_cleveragents/plan/tree", { plan_id });
    expect(JSON.stringify(tree)).toContain("How?");
  });
});
