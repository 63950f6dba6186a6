import { atRest, eventOf, followUntil, logOf, seen } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import type { Altered } from "./altered-server.ts";
import { openLight } from "./light-workspace.ts";

/** Registers actions by name, each with the script that is written there. */
async function actions({ client }: Altered, scripts: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, script] of Object.entries(scripts))
    await client.call("_cleveragents/registry/action/add", {
      document: `name: ${name}\ndescription: x\ndefinition_of_done: x\narguments: [{ name: path, default: "" }, { name: text, default: "" }]\nscript:\n  steps:\n${script}`,
    });
}

const WRITE = `    - write: { path: "{{ args.path }}", content: "{{ args.text }}" }`;
const status = ({ client }: Altered, plan_id: string) =>
  client.call("_cleveragents/plan/status", { plan_id });
const childOf = async (server: Altered, planId: string, name: string): Promise<string> => {
  const { children = [] } = await status(server, planId);
  return children.find((child) => child.name === name)?.plan_id ?? "";
};
const names = async ({ client }: Altered, planId: string) =>
  (await logOf(client, planId)).flatMap((item) => eventOf(item)?.event ?? []);

describe("a step that starts plans", () => {
  test("goes on when each has ended, with what all of them have changed, and one changeset for it", async () => {
    await using server = await openLight();
    await actions(server, { write: WRITE });
    const planId = await server.plan(`  steps:
    - write: { path: before.txt, content: x }
    - name: parts
      subplan:
        mode: parallel
        plans:
          - { id: one, action: write, arguments: { path: one.txt, text: "1" } }
          - { id: two, action: write, arguments: { path: two.txt, text: "2" } }
    - write: { path: after.txt, content: "{{ results.parts.one.status }}" }`);
    const offered = await atRest(server.client, planId);
    expect(offered).toMatchObject({
      state: "complete",
      waiting_for: { kind: "apply" },
      execution: { child_plans: "2/2 complete" },
      children: [
        { name: "one", status: "complete", merged: true, step: 1, state: "applied", changes: { files: 1 } },
        { name: "two", status: "complete", merged: true },
      ],
    });
    const { files } = await server.client.call("_cleveragents/plan/diff", { plan_id: planId });
    expect(files.map(({ path }) => path)).toEqual(["after.txt", "before.txt", "one.txt", "two.txt"]);
    const child = await childOf(server, planId, "one");
    const its = await server.client.call("GetTask", { id: child });
    expect(its.contextId).toBe(offered.context_id);
    expect(await status(server, child)).toMatchObject({
      parent: { plan_id: planId, root_plan_id: planId, name: "one" },
      automation: { source: "parent" },
      task_state: "TASK_STATE_COMPLETED",
    });
    const listed = await server.client.call("_cleveragents/plan/list", { parent: planId });
    expect(listed.plans.map(({ plan_id }) => plan_id)).toContain(child);
    expect(listed.total).toBe(2);
    const tree = await server.client.call("_cleveragents/plan/tree", { plan_id: planId });
    expect(tree.summary).toMatchObject({ child_plans: 2 });
    expect(tree.tree[0]?.children).toMatchObject([
      { type: "subplan_parallel_spawn", children: [{ type: "subplan_spawn", child_plan: child }, {}] },
    ]);
    await server.client.call("_cleveragents/plan/apply", { plan_id: planId });
    expect([...server.disk.project.keys()].sort()).toEqual(["after.txt", "before.txt", "one.txt", "two.txt"]);
    await expect(server.client.call("_cleveragents/plan/rollback", { plan_id: child })).rejects.toMatchObject(
      {
        reason: "INVALID_STATE",
      },
    );
  });

  test("one after the other each begins on what the one before has left", async () => {
    await using server = await openLight();
    await actions(server, {
      first: `    - write: { path: shared.txt, content: one }`,
      second: `    - name: was\n      read: { path: shared.txt }\n    - write: { path: shared.txt, content: "{{ results.was.content }} two" }`,
    });
    const planId = await server.plan(`  steps:
    - subplan: { plans: [{ id: a, action: first }, { id: b, action: second }] }`);
    await atRest(server.client, planId);
    await server.client.call("_cleveragents/plan/apply", { plan_id: planId });
    expect(server.disk.project.get("shared.txt")).toBe("one two");
  });

  test("by dependency a subplan waits for those that it builds on, whichever order they are written in", async () => {
    await using server = await openLight();
    await actions(server, {
      base: `    - write: { path: base.txt, content: base }`,
      on: `    - name: was\n      read: { path: base.txt }\n    - write: { path: on.txt, content: "on {{ results.was.content }}" }`,
    });
    const planId = await server.plan(`  steps:
    - subplan:
        mode: dependency_ordered
        plans: [{ id: later, action: on, depends_on: [base] }, { id: base, action: base }]`);
    await atRest(server.client, planId);
    await server.client.call("_cleveragents/plan/apply", { plan_id: planId });
    expect(server.disk.project.get("on.txt")).toBe("on base");
  });

  test("ten at once in one place need no more than that place, and nothing of them is lost", async () => {
    await using server = await openLight(undefined, { planConcurrency: 1 });
    await actions(server, { write: WRITE });
    const plans = Array.from(
      { length: 10 },
      (_, n) => `          - { id: p${n}, action: write, arguments: { path: "p${n}.txt", text: "${n}" } }`,
    );
    const planId = await server.plan(
      `  steps:\n    - subplan:\n        mode: parallel\n        max_parallel: 10\n        plans:\n${plans.join("\n")}`,
      "ci",
    );
    expect(await atRest(server.client, planId)).toMatchObject({ state: "applied" });
    expect(server.disk.project.size).toBe(10);
  });

  test("what a subplan asks is answered there, as its own task, and the plan shows that it waits for it", async () => {
    await using server = await openLight();
    await actions(server, {
      asking: `    - name: which\n      ask: { question: Which?, options: [{ id: red }, { id: blue }] }\n    - write: { path: which.txt, content: "{{ results.which.choice }}" }`,
    });
    const planId = await server.plan(`  steps:\n    - subplan: { plans: [{ id: asks, action: asking }] }`);
    await seen(server.client, planId, "plan.child_waiting");
    const child = await childOf(server, planId, "asks");
    expect(await status(server, planId)).toMatchObject({
      task_state: "TASK_STATE_WORKING",
      children: [{ name: "asks", status: "running", waiting_for: { kind: "question", prompt: "Which?" } }],
    });
    await server.client.call("_cleveragents/plan/approve", { plan_id: child, option: "blue" });
    await atRest(server.client, planId);
    await server.client.call("_cleveragents/plan/apply", { plan_id: planId });
    expect(server.disk.project.get("which.txt")).toBe("blue");
  });

  test("is asked about where the profile does not let a plan start others, and starts none before", async () => {
    await using server = await openLight();
    await actions(server, { write: WRITE });
    const planId = await server.plan(
      `  steps:\n    - subplan: { plans: [{ id: one, action: write, arguments: { path: a, text: b } }] }`,
      "review",
    );
    const asked = await atRest(server.client, planId);
    expect(asked).toMatchObject({
      waiting_for: { kind: "guard", details: { guard: "subplans", tool: "builtin/subplan" } },
    });
    expect((await server.client.call("_cleveragents/plan/list", { parent: planId })).total).toBe(0);
    await server.client.call("_cleveragents/plan/approve", { plan_id: planId });
    expect(await atRest(server.client, planId)).toMatchObject({ waiting_for: { kind: "apply" } });
  });
});

describe("subplans that have changed the same file", () => {
  const conflicting = async (strategy: string) => {
    const server = await openLight();
    await actions(server, { write: WRITE });
    const planId = await server.plan(`  steps:
    - subplan:
        mode: parallel
        merge_strategy: ${strategy}
        plans:
          - { id: one, action: write, arguments: { path: same.txt, text: "1" } }
          - { id: two, action: write, arguments: { path: same.txt, text: "2" } }`);
    return { server, planId, rested: await atRest(server.client, planId) };
  };

  test.each([
    ["ours", "1"],
    ["theirs", "2"],
    ["retry", "2"],
  ])("hold the plan back until somebody has said whose counts: %s", async (option, content) => {
    const { server, planId, rested } = await conflicting("git_three_way");
    await using _ = server;
    expect(rested).toMatchObject({
      waiting_for: { kind: "conflict", details: { subplan: "two", files: [{ path: "same.txt" }] } },
      children: [{ merged: true }, { merged: false, conflicts: [{ path: "same.txt" }] }],
    });
    await expect(server.client.call("_cleveragents/plan/apply", { plan_id: planId })).rejects.toMatchObject({
      reason: "INVALID_STATE",
    });
    await expect(server.client.call("_cleveragents/plan/reject", { plan_id: planId })).rejects.toMatchObject({
      reason: "ANSWER_MISMATCH",
    });
    await server.client.call("_cleveragents/plan/approve", { plan_id: planId, option });
    expect(await atRest(server.client, planId)).toMatchObject({ waiting_for: { kind: "apply" } });
    await server.client.call("_cleveragents/plan/apply", { plan_id: planId });
    expect(server.disk.project.get("same.txt")).toBe(content);
  });

  test("count as failed, or the last one wins, where the step says so", async () => {
    const failing = await conflicting("fail_on_conflict");
    await using _ = failing.server;
    expect(failing.rested).toMatchObject({
      waiting_for: { kind: "retry" },
      error: { reason: "SUBPLAN_FAILED", message: expect.stringContaining("same.txt") },
    });
    const winning = await conflicting("last_wins");
    await using __ = winning.server;
    await winning.server.client.call("_cleveragents/plan/apply", { plan_id: winning.planId });
    expect(winning.server.disk.project.get("same.txt")).toBe("2");
  });
});

describe("a subplan that fails", () => {
  test("is started anew as often as the step says, then the plan tells of every one and can be tried again", async () => {
    await using server = await openLight();
    await actions(server, { write: WRITE, bad: `    - fail: { message: no way, retryable: true }` });
    const planId = await server.plan(`  steps:
    - subplan:
        mode: parallel
        max_retries: 2
        plans:
          - { id: good, action: write, arguments: { path: good.txt, text: x } }
          - { id: bad, action: bad }
          - { id: worse, action: bad }`);
    const stopped = await atRest(server.client, planId);
    expect(stopped).toMatchObject({
      state: "errored",
      error: {
        reason: "SUBPLAN_FAILED",
        message: expect.stringMatching(/2 of 3 .*bad failed .*worse failed/),
      },
      children: [
        { status: "complete", merged: true },
        { status: "failed", attempt: 2 },
        { status: "failed", attempt: 2 },
      ],
    });
    const before = await childOf(server, planId, "good");
    expect((await server.client.call("_cleveragents/plan/list", { parent: planId })).total).toBe(5);
    await server.client.call("_cleveragents/plan/execute", { plan_id: planId });
    await atRest(server.client, planId);
    expect(await childOf(server, planId, "good")).toBe(before);
    expect((await server.client.call("_cleveragents/plan/list", { parent: planId })).total).toBe(9);
  });

  test("keeps those from beginning that come after it, or ends all the others where it is to fail fast", async () => {
    await using server = await openLight();
    await actions(server, {
      write: WRITE,
      bad: `    - fail: { message: no way }`,
      slow: `    - ask: { question: Go on? }`,
    });
    const one = await server.plan(`  steps:
    - subplan: { retry_failed: false, plans: [{ id: bad, action: bad }, { id: next, action: write, arguments: { path: a, text: b } }] }`);
    expect(await atRest(server.client, one)).toMatchObject({
      children: [{ status: "failed" }, { status: "cancelled" }],
    });
    expect(await childOf(server, one, "next")).toBe("");
    const fast = await server.plan(`  steps:
    - subplan: { mode: parallel, fail_fast: true, retry_failed: false, plans: [{ id: slow, action: slow }, { id: bad, action: bad }] }`);
    expect(await atRest(server.client, fast)).toMatchObject({
      children: [{ status: "cancelled", state: "cancelled" }, { status: "failed" }],
    });
  });

  test("to be made at all, for want of its action, is told with the reason", async () => {
    await using server = await openLight();
    const planId = await server.plan(`  steps:\n    - subplan: { plans: [{ id: none, action: not-there }] }`);
    expect(await atRest(server.client, planId)).toMatchObject({
      error: { message: expect.stringContaining("not-there") },
      children: [{ status: "failed" }],
    });
  });

  test("to keep to its resources waits there, and what it was to change is told", async () => {
    await using server = await openLight();
    await actions(server, { write: WRITE });
    const planId = await server.plan(`  steps:
    - subplan: { plans: [{ id: astray, action: write, resources: [docs], arguments: { path: elsewhere.txt, text: x } }] }`);
    await seen(server.client, planId, "plan.child_waiting");
    expect(await status(server, await childOf(server, planId, "astray"))).toMatchObject({
      state: "constrained",
      error: { message: expect.stringContaining("elsewhere.txt") },
    });
  });
});

describe("subplans end with their plan", () => {
  const waiting = async (alter?: Parameters<typeof openLight>[1]) => {
    const server = await openLight(undefined, alter);
    await actions(server, {
      nested: `    - subplan: { plans: [{ id: inner, action: asking }] }`,
      asking: `    - ask: { question: Go on? }`,
    });
    const planId = await server.plan(`  steps:
    - write: { path: a.txt, content: x }
    - subplan: { plans: [{ id: outer, action: nested }] }`);
    await seen(server.client, planId, "plan.child_started");
    const outer = await childOf(server, planId, "outer");
    await seen(server.client, outer, "plan.child_waiting");
    return { server, planId, outer, inner: await childOf(server, outer, "inner") };
  };
  const over = ({ client }: Altered, id: string) =>
    followUntil(client, id, (item) => eventOf(item)?.event === "plan.cancelled", { after: `${id}:0` });

  test("when it is cancelled, also if the agent dies at once", async () => {
    const { server, planId, outer, inner } = await waiting();
    await using _ = server;
    await server.client.call("_cleveragents/plan/cancel", { plan_id: planId });
    await server.killAndStart();
    await over(server, outer);
    await over(server, inner);
  });

  test("when it is taken back before the step that has started them, and others are started instead", async () => {
    const { server, planId, outer, inner } = await waiting();
    await using _ = server;
    const planned = await server.client.call("_cleveragents/plan/rollback", {
      plan_id: planId,
      checkpoint: "step-1",
      dry_run: true,
    });
    expect(planned.impact).toMatchObject({
      child_plans_invalidated: [outer],
      decisions_after_cp: [expect.any(String)],
    });
    await server.client.call("_cleveragents/plan/rollback", { plan_id: planId, checkpoint: "step-1" });
    await over(server, outer);
    await over(server, inner);
    await atRest(server.client, planId);
    await server.client.call("_cleveragents/plan/execute", { plan_id: planId });
    await seen(server.client, planId, "plan.child_started", ({ child_plan }) => child_plan !== outer);
    expect(await childOf(server, planId, "outer")).not.toBe(outer);
  });
});

test("a plan whose agent dies again and again while its subplans work starts each of them once", async () => {
  await using server = await openLight(undefined, { planConcurrency: 2 });
  await actions(server, { write: WRITE });
  const plans = Array.from(
    { length: 4 },
    (_, n) => `{ id: p${n}, action: write, arguments: { path: "p${n}.txt", text: "${n}" } }`,
  );
  const planId = await server.plan(
    `  steps:\n    - subplan: { mode: parallel, plans: [${plans.join(", ")}] }`,
    "ci",
  );
  for (let n = 0; n < 4; n++) {
    await new Promise((resolve) => setTimeout(resolve, 5 * n));
    await server.killAndStart();
  }
  expect(await atRest(server.client, planId)).toMatchObject({ state: "applied" });
  expect((await server.client.call("_cleveragents/plan/list", { parent: planId })).total).toBe(4);
  expect(server.disk.project.size).toBe(4);
  const told = await names(server, planId);
  expect(told.filter((name) => name === "plan.child_merged")).toHaveLength(4);
});
