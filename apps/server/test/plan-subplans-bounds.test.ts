import type { Plan } from "@cleveragents/domain";
import { atRest, eventOf, logOf, seen } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import type { Altered } from "./altered-server.ts";
import { openLight } from "./light-workspace.ts";

/** Registers actions by name, each with what is written there behind its description. */
async function actions({ client }: Altered, documents: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, rest] of Object.entries(documents))
    await client.call("_cleveragents/registry/action/add", {
      document: `name: ${name}\ndescription: x\ndefinition_of_done: x\n${rest}`,
    });
}

const script = (...steps: readonly string[]) =>
  `script:\n  steps:\n${steps.map((step) => `    - ${step}\n`).join("")}`;
const WRITE = script("write: { path: a.txt, content: x }", "write: { path: b.txt, content: x }");
const ASK = script("ask: { question: Go on? }");
const status = ({ client }: Altered, plan_id: string) =>
  client.call("_cleveragents/plan/status", { plan_id });
const childOf = async (server: Altered, planId: string, name: string): Promise<string> =>
  (await status(server, planId)).children?.find((child) => child.name === name)?.plan_id ?? "";
const names = async ({ client }: Altered, planId: string) =>
  (await logOf(client, planId)).flatMap((item) => eventOf(item)?.event ?? []);
const total = async ({ client }: Altered, parent: string) =>
  (await client.call("_cleveragents/plan/list", { parent })).total;

/** A plan as it is stored: what a subplan was given is not all told. */
async function stored({ machine }: Altered, planId: string): Promise<Plan> {
  const row = await machine.adapters.store.load(planId);
  if (row === undefined) throw new Error(`there is no plan ${planId}`);
  return row.document as unknown as Plan; // the document of a plan's task
}

describe("the time of subplans", () => {
  const nested = (more: string) => script(`subplan: { ${more}plans: [{ id: inner, action: asking }] }`);
  const outerIn = (seconds: number) =>
    `  steps:\n    - subplan: { retry_failed: false, timeout_per_subplan_seconds: ${seconds}, plans: [{ id: outer, action: nested }] }`;
  const late = {
    error: { reason: "SUBPLAN_FAILED", message: expect.stringContaining("within the time") },
    children: [{ name: "outer", status: "failed" }],
  };

  test("is never more than what those have that have started them, and these end with it", async () => {
    let passed = 0;
    const clock = { now: () => Date.now() + passed };
    await using server = await openLight(undefined, {}, () => ({ clock }));
    await actions(server, { asking: ASK, nested: nested("timeout_per_subplan_seconds: 7200, ") });
    const planId = await server.plan(outerIn(3600));
    await seen(server.client, planId, "plan.child_started");
    const outer = await childOf(server, planId, "outer");
    await seen(server.client, outer, "plan.child_started");
    const inner = await childOf(server, outer, "inner");
    await seen(server.client, outer, "plan.child_waiting");
    const { deadline, createdAt } = await stored(server, outer);
    expect(Math.round(((deadline ?? 0) - createdAt) / 60_000)).toBe(60);
    expect((await stored(server, inner)).deadline).toBe(deadline);
    passed = 3_600_000;
    await server.client.call("_cleveragents/plan/prompt", { plan_id: outer, guidance: "look at the clock" });
    expect(await atRest(server.client, planId)).toMatchObject(late);
    await seen(server.client, inner, "plan.cancelled");
  });

  test("is up with the plan's own, which can be tried again", async () => {
    let passed = 0;
    const clock = { now: () => Date.now() + passed };
    await using server = await openLight(undefined, {}, () => ({ clock }));
    await actions(server, { asking: ASK });
    const planId = await server.plan(
      "  steps:\n    - subplan: { plans: [{ id: asks, action: asking }] }",
      "manual",
    );
    await atRest(server.client, planId);
    await server.client.call("_cleveragents/plan/execute", { plan_id: planId });
    await atRest(server.client, planId);
    const execution_options = { timeout: 3_600_000 };
    await server.client.call("_cleveragents/plan/execute", { plan_id: planId, execution_options });
    await atRest(server.client, planId);
    await server.client.call("_cleveragents/plan/approve", { plan_id: planId });
    await seen(server.client, planId, "plan.child_waiting");
    passed = 3_600_000;
    await server.client.call("_cleveragents/plan/prompt", { plan_id: planId, guidance: "look at the clock" });
    expect(await atRest(server.client, planId)).toMatchObject({
      state: "errored",
      error: { reason: "TIMEOUT", recoverable: true },
      children: [{ name: "asks", status: "cancelled", state: "cancelled" }],
    });
  });

  test("is up without anybody doing anything, also while they wait for what they have started", async () => {
    await using server = await openLight();
    await actions(server, { asking: ASK, nested: nested("") });
    expect(await atRest(server.client, await server.plan(outerIn(0.3)))).toMatchObject(late);
  });
});

describe("subplans that are not to be started", () => {
  test("are those that go deeper than five", async () => {
    await using server = await openLight();
    await actions(server, {
      itself: script("subplan: { retry_failed: false, plans: [{ id: again, action: itself }] }"),
    });
    const planId = await server.plan(
      "  steps:\n    - subplan: { retry_failed: false, plans: [{ id: again, action: itself }] }",
    );
    expect(await atRest(server.client, planId)).toMatchObject({
      error: { message: expect.stringContaining("5 deep at most") },
    });
    const chain = [planId];
    for (let id = planId; id !== ""; ) {
      id = await childOf(server, id, "again");
      if (id !== "") chain.push(id);
    }
    expect(chain).toHaveLength(6);
    const last = await stored(server, chain.at(-1) ?? "");
    expect(last.parent).toMatchObject({ rootId: planId, planId: chain.at(-2), depth: 5 });
  });

  test("are those of another project, and those that are wrong once their texts are filled in", async () => {
    await using server = await openLight();
    await actions(server, { write: WRITE });
    const elsewhere = await server.plan(
      "  steps:\n    - subplan: { plans: [{ id: one, action: write, project: local/other }] }",
    );
    expect(await atRest(server.client, elsewhere)).toMatchObject({
      error: { reason: "NOT_AVAILABLE", message: expect.stringContaining("local/other") },
    });
    const wrong = await server.plan(
      "  steps:\n    - name: said\n      say: { text: x }\n    - subplan: { plans: [{ id: one, action: write, guidance: \"{{ attempt == 0 ? 'x' : '' }}\" }] }",
    );
    expect(await atRest(server.client, wrong)).toMatchObject({
      error: { reason: "TOOL_ARGUMENTS", message: expect.stringContaining("guidance") },
    });
    expect([await total(server, elsewhere), await total(server, wrong)]).toEqual([0, 0]);
  });

  test("are those that the plan's profile has no tool for, or that its budget has no call for", async () => {
    await using server = await openLight();
    await actions(server, { write: WRITE });
    const one = script(
      "write: { path: c.txt, content: x }",
      "subplan: { plans: [{ id: one, action: write }] }",
    );
    await server.client.call("_cleveragents/profile/add", {
      document:
        "name: no-subplans\ndescription: x\nextends: ci\nguards: { tool_denylist: [builtin/subplan] }",
    });
    await actions(server, { starts: one, poor: `budget: { tool_calls: 1 }\n${one}` });
    const use = async (action_name: string, automation_profile: string) =>
      (
        await server.client.call("_cleveragents/plan/use", {
          action_name,
          project: "demo",
          automation_profile,
        })
      ).plan_id;
    const denied = await use("starts", "no-subplans");
    expect(await atRest(server.client, denied)).toMatchObject({ state: "errored" });
    const poor = await use("poor", "ci");
    expect(await atRest(server.client, poor)).toMatchObject({
      waiting_for: { kind: "budget", details: { limit: 1, used: 1 } },
    });
    expect([await total(server, denied), await total(server, poor)]).toEqual([0, 0]);
  });
});

describe("what subplans are given", () => {
  test("is the budget of the step, of their action and of the profile, whichever is the least", async () => {
    await using server = await openLight();
    await server.client.call("_cleveragents/profile/add", {
      document: "name: thrifty\ndescription: x\nextends: ci\nbudget: { tokens: 77 }",
    });
    await actions(server, { plain: ASK, poor: `budget: { tool_calls: 1 }\n${WRITE}` });
    const planId = await server.plan(
      `  steps:
    - subplan:
        mode: parallel
        plans: [{ id: own, action: plain, budget: { tool_calls: 3 } }, { id: actions, action: poor, budget: { tool_calls: 9 } }]`,
      "thrifty",
    );
    await seen(server.client, planId, "plan.child_waiting", ({ subplan }) => subplan === "own");
    await seen(server.client, planId, "plan.child_waiting", ({ subplan }) => subplan === "actions");
    const budgets = [];
    for (const name of ["own", "actions"])
      budgets.push((await stored(server, await childOf(server, planId, name))).budget);
    expect(budgets).toMatchObject([
      { tool_calls: 3, tokens: 77 },
      { tool_calls: 1, tokens: 77 },
    ]);
    expect((await status(server, planId)).children).toMatchObject([
      { waiting_for: { kind: "question" } },
      { waiting_for: { kind: "budget" } },
    ]);
  });

  test("is what the plan keeps to, who it is for, and what is asked of its own action besides", async () => {
    await using server = await openLight(undefined, {}, ({ commands }) => ({
      commands: {
        probe: async () => ({ level: "full", why: "so it is said" }),
        run: (request) => commands.run(request),
      },
    }));
    await actions(server, {
      asking: `invariants: [Of the child]\n${ASK}`,
      whole: `invariants: [Of the plan]\n${script("subplan: { plans: [{ id: one, action: asking }] }")}`,
    });
    const { plan_id } = await server.client.call("_cleveragents/plan/use", {
      action_name: "whole",
      project: "demo",
      automation_profile: "ci",
      require_isolation: true,
    });
    await seen(server.client, plan_id, "plan.child_waiting");
    const [parent, child] = [
      await stored(server, plan_id),
      await stored(server, await childOf(server, plan_id, "one")),
    ];
    expect(parent.isolationDemand).toBeDefined();
    const texts = (child.invariants ?? []).map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(["Of the child", "Of the plan"]));
    for (const key of [
      "principal",
      "contextId",
      "project",
      "host",
      "isolationDemand",
      "isolationLevel",
    ] as const)
      expect(child[key], key).toEqual(parent[key]);
    expect(child.profile).toEqual({ ...parent.profile, source: "parent" });
  });
});

describe("a subplan that does not succeed", () => {
  test("because somebody has cancelled it is not tried anew, and the reason is told", async () => {
    await using server = await openLight();
    await actions(server, { asking: ASK });
    const planId = await server.plan("  steps:\n    - subplan: { plans: [{ id: asks, action: asking }] }");
    await seen(server.client, planId, "plan.child_waiting");
    const child = await childOf(server, planId, "asks");
    await server.client.call("_cleveragents/plan/cancel", { plan_id: child, reason: "not this way" });
    expect(await atRest(server.client, planId)).toMatchObject({
      error: { reason: "SUBPLAN_FAILED", message: expect.stringContaining("not this way") },
      children: [{ status: "cancelled", attempt: 1 }],
    });
    expect(await total(server, planId)).toBe(1);
  });

  test("because it cannot be made is not tried anew, and leaves no plan behind", async () => {
    await using server = await openLight();
    const planId = await server.plan("  steps:\n    - subplan: { plans: [{ id: none, action: not-there }] }");
    await atRest(server.client, planId);
    expect(await names(server, planId)).not.toContain("plan.child_retried");
    expect(await total(server, planId)).toBe(0);
  });
});

test("with `sequential_apply` each begins on what the one before has left, although they may run side by side", async () => {
  await using server = await openLight();
  await actions(server, {
    first: script("write: { path: shared.txt, content: one }"),
    second: `script:\n  steps:\n    - name: was\n      read: { path: shared.txt }\n    - write: { path: shared.txt, content: "{{ results.was.content }} two" }\n`,
  });
  const planId = await server.plan(
    "  steps:\n    - subplan: { mode: parallel, merge_strategy: sequential_apply, plans: [{ id: a, action: first }, { id: b, action: second }] }",
    "ci",
  );
  expect(await atRest(server.client, planId)).toMatchObject({
    state: "applied",
    execution: { tool_calls: 1 },
  });
  expect(server.disk.project.get("shared.txt")).toBe("one two");
});

test("a subplan that is run again for a conflict is told what somebody has said about it, and may fail as often as before", async () => {
  await using server = await openLight();
  await actions(server, {
    write: `arguments: [{ name: text, default: "" }]\n${script('write: { path: same.txt, content: "{{ args.text }}" }')}`,
  });
  const planId = await server.plan(`  steps:
    - subplan:
        mode: parallel
        plans:
          - { id: one, action: write, arguments: { text: "1" } }
          - { id: two, action: write, arguments: { text: "2" }, guidance: from the step }`);
  await atRest(server.client, planId);
  const before = await childOf(server, planId, "two");
  expect((await stored(server, before)).guidance).toEqual(["from the step"]);
  await server.client.call("_cleveragents/plan/approve", {
    plan_id: planId,
    option: "retry",
    text: "look at one",
  });
  expect(await atRest(server.client, planId)).toMatchObject({
    waiting_for: { kind: "apply" },
    children: [{ name: "one" }, { name: "two", attempt: 1, merged: true }],
  });
  const after = await childOf(server, planId, "two");
  expect(after).not.toBe(before);
  expect((await stored(server, after)).guidance).toEqual(["from the step", "look at one"]);
});

test("a plan that is taken back behind the step that has started others keeps what they have made", async () => {
  await using server = await openLight();
  await actions(server, { write: WRITE });
  const planId = await server.plan(
    "  steps:\n    - subplan: { plans: [{ id: one, action: write }] }\n    - write: { path: after.txt, content: x }",
  );
  await atRest(server.client, planId);
  const child = await childOf(server, planId, "one");
  await server.client.call("_cleveragents/plan/rollback", { plan_id: planId, checkpoint: "step-1" });
  await server.client.call("_cleveragents/plan/execute", { plan_id: planId });
  await atRest(server.client, planId);
  expect(await childOf(server, planId, "one")).toBe(child);
  await server.client.call("_cleveragents/plan/apply", { plan_id: planId });
  expect([...server.disk.project.keys()].sort()).toEqual(["a.txt", "after.txt", "b.txt"]);
});
