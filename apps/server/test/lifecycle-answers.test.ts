import { atRest, eventOf, inProcess, logOf, openWorld, toGate, use, type World } from "@cleveragents/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openServer } from "./in-memory-server.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld(inProcess, openServer, { project: "plain" });
});
afterAll(() => world[Symbol.asyncDispose]());

let messages = 0;
const send = (taskId: string, parts: object[], more: object = {}) =>
  world.client.call("SendMessage", {
    message: { messageId: `answer-${++messages}`, taskId, role: "ROLE_USER", parts, ...more } as never,
  });
const choose = (taskId: string, choice: string, request_id?: string) =>
  send(taskId, [
    { data: { type: "approval_response", choice, ...(request_id === undefined ? {} : { request_id }) } },
  ]);
const mismatch = { code: -32602, reason: "ANSWER_MISMATCH" };

/** A plan of an action of its own. */
async function planOf(
  script: string,
  automation_profile = "trusted",
  more = "",
  args: Record<string, string> = {},
): Promise<string> {
  const name = `own-${++messages}`;
  const document = `name: ${name}\ndescription: x\ndefinition_of_done: x\n${more}script:\n${script}`;
  await world.client.call("_cleveragents/registry/action/add", { document });
  const used = await world.client.call("_cleveragents/plan/use", {
    action_name: name,
    project: "demo",
    automation_profile,
    arguments: args,
  });
  return used.plan_id;
}

describe("a question", () => {
  test("is answered by an option's name or a text; what is unclear is asked again, and later steps know the answers", async () => {
    const { plan_id, waiting_for } = await toGate(world, "ask");
    expect(waiting_for).toMatchObject({
      kind: "question",
      prompt: "Which colour?",
      options: [
        { id: "red", label: "Red" },
        { id: "blue", label: "blue" },
      ],
      free_text: false,
    });
    expect(await send(plan_id, [{ text: "whatever you like" }])).toMatchObject({
      task: { status: { state: "TASK_STATE_INPUT_REQUIRED" } },
    });
    expect((await world.client.call("_cleveragents/plan/status", { plan_id })).waiting_for).toEqual(
      waiting_for,
    );
    await send(plan_id, [{ text: " RED " }]);
    expect((await atRest(world.client, plan_id)).waiting_for).toMatchObject({
      prompt: "Which word?",
      free_text: true,
    });
    await send(plan_id, [{ text: "hello there" }]);
    await atRest(world.client, plan_id);
    expect((await world.client.call("_cleveragents/plan/diff", { plan_id })).patch).toContain(
      "+red hello there\n",
    );
  });

  test("takes one decision: the same again is fine, another one is refused, whichever comes first", async () => {
    const { plan_id, waiting_for } = await toGate(world, "ask");
    const request = waiting_for?.request_id ?? "";
    const [one, two, other] = await Promise.allSettled([
      choose(plan_id, "red", request),
      choose(plan_id, "red", request),
      choose(plan_id, "blue", request),
    ]);
    expect([one.status, two.status]).toEqual(["fulfilled", "fulfilled"]);
    expect(other).toMatchObject({ status: "rejected", reason: mismatch });
    await atRest(world.client, plan_id);
    await expect(choose(plan_id, "blue", request)).rejects.toMatchObject(mismatch);
    const log = await logOf(world.client, plan_id);
    expect(log.filter((item) => eventOf(item)?.event === "ask.answered")).toHaveLength(1);
    await world.client.call("_cleveragents/plan/cancel", { plan_id });
  });

  test("a message that was sent again does not answer the next question", async () => {
    const { plan_id } = await use(world, "idle");
    await atRest(world.client, plan_id);
    const message = {
      messageId: "once",
      taskId: plan_id,
      role: "ROLE_USER" as const,
      parts: [{ text: "yes" }],
    };
    await world.client.call("SendMessage", { message });
    const gate = await atRest(world.client, plan_id);
    expect(gate).toMatchObject({ phase: "strategize", state: "complete", waiting_for: { kind: "start" } });
    await world.client.call("SendMessage", { message });
    expect(await world.client.call("_cleveragents/plan/status", { plan_id })).toEqual(gate);
  });

  test("an answer at the very moment when the plan begins to wait is not overlooked", async () => {
    const began = performance.now();
    for (let n = 0; n < 10; n++) {
      const { plan_id } = await use(world, "idle");
      await world.client.call("_cleveragents/plan/execute", { plan_id });
      await world.client.call("_cleveragents/plan/cancel", { plan_id });
    }
    expect(performance.now() - began).toBeLessThan(12_000); // a plan looks by itself every 15 s only
  });
});

describe("a failure", () => {
  test("that can pass asks; trying again goes on from the step that failed, from where its predecessor ended", async () => {
    const failed = await toGate(world, "flaky");
    const { plan_id } = failed;
    expect(failed).toMatchObject({
      phase: "execute",
      state: "errored",
      task_state: "TASK_STATE_INPUT_REQUIRED",
      attempt: 1,
      error: { reason: "COMMAND_FAILED", recoverable: true, step: "2 of 3" },
      waiting_for: {
        kind: "retry",
        options: [
          { id: "retry", label: "Try again" },
          { id: "give-up", label: "Give up" },
        ],
      },
    });
    expect(failed.steps.map(({ status }) => status)).toEqual(["done", "failed", "pending"]);
    expect(await world.client.call("_cleveragents/plan/execute", { plan_id })).toMatchObject({
      attempt: 2,
      already: false,
    });
    const status = await atRest(world.client, plan_id);
    expect(status).toMatchObject({ phase: "execute", state: "complete", attempt: 2 });
    expect(status).not.toHaveProperty("error");
    const { patch, files } = await world.client.call("_cleveragents/plan/diff", { plan_id });
    expect(patch).toContain("+first\n+second\n+third\n");
    expect(files.map(({ path }) => path)).toEqual(["half.txt", "marks.txt"]);
    const begun = (await logOf(world.client, plan_id))
      .map(eventOf)
      .filter((event) => event?.event === "step.started");
    expect(begun.map((event) => event?.["index"])).toEqual([0, 1, 1, 2]);
  });

  test("that a script declares for its first attempt only is over at the second", async () => {
    const { plan_id } = await toGate(world, "flaky-fail");
    expect(await send(plan_id, [{ text: "yes" }])).toMatchObject({
      task: { status: { state: "TASK_STATE_INPUT_REQUIRED" } },
    });
    const status = await atRest(world.client, plan_id);
    expect(status.steps.map(({ status }) => status)).toEqual(["done", "skipped", "done"]);
    const { files } = await world.client.call("_cleveragents/plan/diff", { plan_id });
    expect(files.map(({ path }) => path)).toEqual(["after.txt", "before.txt"]);
  });

  test("that is given up is final", async () => {
    const { plan_id } = await toGate(world, "flaky-fail");
    await choose(plan_id, "give-up");
    const status = await atRest(world.client, plan_id);
    expect(status).toMatchObject({
      state: "failed",
      task_state: "TASK_STATE_FAILED",
      error: { recoverable: true },
    });
    await expect(world.client.call("_cleveragents/plan/execute", { plan_id })).rejects.toMatchObject({
      reason: "INVALID_STATE",
    });
  });

  test("for good ends the plan, says why, and nothing is written", async () => {
    const status = await toGate(world, "broken");
    expect(status).toMatchObject({
      state: "failed",
      task_state: "TASK_STATE_FAILED",
      error: { reason: "SCRIPT_FAILED", message: "this cannot work", recoverable: false },
    });
    const task = await world.client.call("GetTask", { id: status.plan_id });
    expect(task.status.message?.parts).toEqual([{ text: "this cannot work" }]);
    expect(Object.keys(await world.repository.tree())).not.toContain("never.txt");
    await expect(
      world.client.call("_cleveragents/plan/apply", { plan_id: status.plan_id }),
    ).rejects.toMatchObject({ reason: "INVALID_STATE" });
  });

  test.each([
    [
      "a decision's condition",
      '  decisions: [{ id: d, question: q, choose: [{ when: "args.nope == 1", choice: a }, { choice: b }] }]\n',
      "strategize",
    ],
    [
      "a decision's question",
      '  decisions: [{ id: d, question: "{{ args.nope }}", choose: [{ choice: b }] }]\n',
      "strategize",
    ],
    ["a condition that is no yes or no", '  steps: [{ when: "1 + 1", say: { text: x } }]\n', "execute"],
    ["a template", '  steps: [{ write: { path: x, content: "{{ results.nope.stdout }}" } }]\n', "execute"],
  ])("of %s names the expression", async (_, script, phase) => {
    const status = await atRest(world.client, await planOf(script));
    expect(status).toMatchObject({
      phase,
      state: "failed",
      error: {
        reason: "SCRIPT_EXPRESSION",
        recoverable: false,
        message: expect.stringMatching(/^\{\{ .+ \}\}: ./),
      },
    });
  });

  test("of a template that makes a bad argument names the step and the argument", async () => {
    const status = await atRest(
      world.client,
      await planOf(
        '  steps: [{ write: { path: "{{ args.n }}", content: x } }]\n',
        "trusted",
        "arguments: [{ name: n, type: integer, default: 7 }]\n",
      ),
    );
    expect(status).toMatchObject({
      state: "errored",
      error: { reason: "TOOL_ARGUMENTS", message: expect.stringContaining("path") },
    });
    await world.client.call("_cleveragents/plan/cancel", { plan_id: status.plan_id });
  });

  test("of a file outside the project names it, and nothing is read", async () => {
    const status = await atRest(
      world.client,
      await planOf("  steps: [{ read: { path: ../../etc/passwd } }]\n"),
    );
    expect(status).toMatchObject({ state: "errored", error: { recoverable: true, step: "1 of 1" } });
    await world.client.call("_cleveragents/plan/cancel", { plan_id: status.plan_id });
  });
});

describe("decisions", () => {
  test("and steps follow the arguments", async () => {
    // The other way round is the main job of lifecycle.test.ts.
    const script = `
  decisions:
    - { id: tone, question: How?, choose: [{ when: args.loud, choice: loud }, { choice: calm }] }
    - { id: ending, question: And then?, parent: tone, choose: [{ when: 'decisions.tone == "loud"', choice: bang }, { choice: dot }] }
  steps:
    - { when: args.loud, write: { path: LOUD, content: x } }
    - { when: '!args.loud', write: { path: calm.txt, content: "{{ decisions.tone }} {{ decisions.ending }}\\n" } }
`;
    const plan_id = await planOf(
      script,
      "trusted",
      "arguments: [{ name: loud, type: boolean, default: false }]\n",
    );
    const status = await atRest(world.client, plan_id);
    expect(status.steps.map(({ status }) => status)).toEqual(["skipped", "done"]);
    const { tree } = await world.client.call("_cleveragents/plan/tree", { plan_id });
    const tone = tree[0]?.children[0];
    expect([tone?.chosen, tone?.children[0]?.chosen]).toEqual(["calm", "dot"]);
    const { patch, files } = await world.client.call("_cleveragents/plan/diff", { plan_id });
    expect(files.map(({ path }) => path)).toEqual(["calm.txt"]);
    expect(patch).toContain("+calm dot\n");
  });

  test("in Execute know what came before, and later steps know them", async () => {
    const script = `
  steps:
    - name: probe
      run: { command: echo many }
    - decide: { id: amount, question: How many?, choose: [{ when: 'results.probe.stdout.contains("many")', choice: all }, { choice: one }] }
    - when: decisions.amount == "all"
      write: { path: all.txt, content: "all\\n" }
`;
    const plan_id = await planOf(script);
    const status = await atRest(world.client, plan_id);
    expect(status.steps.map(({ status, detail }) => [status, detail])).toEqual([
      ["done", expect.any(String)],
      ["done", "all"],
      ["done", expect.any(String)],
    ]);
    const { tree } = await world.client.call("_cleveragents/plan/tree", { plan_id });
    expect(tree[0]?.children).toEqual([
      expect.objectContaining({ type: "implementation_choice", question: "How many?", chosen: "all" }),
    ]);
  });
});
