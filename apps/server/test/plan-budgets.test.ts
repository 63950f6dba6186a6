import { atRest, eventOf, logOf, seen } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import type { Altered } from "./altered-server.ts";
import { openLight } from "./light-workspace.ts";

const WRITES = (n: number) =>
  Array.from({ length: n }, (_, at) => `    - write: { path: "{{ args.path }}-${at}.txt", content: x }`).join(
    "\n",
  );

async function action({ client }: Altered, name: string, steps: string, more = ""): Promise<void> {
  const document = `name: ${name}\ndescription: x\ndefinition_of_done: x\narguments: [{ name: path, default: p }]\n${more}script:\n  steps:\n${steps}`;
  await client.call("_cleveragents/registry/action/add", { document });
}

async function use(server: Altered, action_name: string, more: object = {}): Promise<string> {
  const used = await server.client.call("_cleveragents/plan/use", {
    action_name,
    project: "demo",
    automation_profile: "ci",
    ...more,
  });
  return used.plan_id;
}

const status = ({ client }: Altered, plan_id: string) =>
  client.call("_cleveragents/plan/status", { plan_id });

describe("the budget of a plan that starts others", () => {
  test("is charged by all of them, exactly once a call, however often the agent dies, and asked about in the one that wants more", async () => {
    await using server = await openLight();
    await action(server, "part", WRITES(3));
    const parts = ["a", "b", "c"].map((id) => `{ id: ${id}, action: part, arguments: { path: ${id} } }`);
    await action(
      server,
      "whole",
      `    - subplan: { mode: parallel, plans: [${parts.join(", ")}] }`,
      "budget: { tool_calls: 6 }\n",
    );
    const planId = await use(server, "whole");
    await server.killAndStart();
    await seen(server.client, planId, "plan.child_waiting");
    const waiting = async () =>
      ((await status(server, planId)).children ?? []).filter((child) => child.waiting_for !== undefined);
    for (let guard = 0; guard < 20; guard++) {
      const now = await status(server, planId);
      expect(now.budget?.used["tool_calls"]).toBeLessThanOrEqual(now.budget?.limits["tool_calls"] ?? 0);
      const [child] = await waiting();
      if (now.task_state !== "TASK_STATE_WORKING") break;
      if (child?.plan_id === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      expect(child.waiting_for).toMatchObject({ kind: "budget", details: { account: `plan:${planId}` } });
      await server.client
        .call("_cleveragents/plan/approve", { plan_id: child.plan_id, text: "20", option: "raise" })
        .catch(() => undefined);
    }
    await atRest(server.client, planId);
    // One call that starts them, and three of each.
    expect(await status(server, planId)).toMatchObject({
      state: "applied",
      budget: { limits: { tool_calls: 20 }, used: { tool_calls: 10 } },
    });
    const told = (await logOf(server.client, planId)).flatMap((item) => eventOf(item)?.event ?? []);
    expect(told).toContain("plan.child_merged");
  });
});

describe("the budget of a session", () => {
  test("is what all its plans may use together; it is warned of, asked about, and raised for all of them", async () => {
    await using server = await openLight();
    await action(server, "part", WRITES(2));
    const { session_id } = await server.client.call("session.create", { budget: { tool_calls: 3 } });
    const one = await use(server, "part", { session_id, arguments: { path: "one" } });
    expect(await atRest(server.client, one)).toMatchObject({ state: "applied" });
    const two = await use(server, "part", { session_id, arguments: { path: "two" } });
    const asked = await atRest(server.client, two);
    expect(asked).toMatchObject({
      waiting_for: { kind: "budget", details: { account: `session:${session_id}`, limit: 3, used: 3 } },
      budget: {
        shared: [{ of: "session", name: session_id, limits: { tool_calls: 3 }, used: { tool_calls: 3 } }],
      },
    });
    const warned = (await logOf(server.client, two)).map(eventOf);
    expect(warned).toContainEqual(expect.objectContaining({ event: "budget.warning", of: "session" }));
    await server.client.call("_cleveragents/plan/approve", { plan_id: two, text: "4", option: "raise" });
    expect(await atRest(server.client, two)).toMatchObject({ state: "applied" });
    const three = await use(server, "part", { session_id, arguments: { path: "three" } });
    expect(await atRest(server.client, three)).toMatchObject({
      waiting_for: { details: { limit: 4, used: 4 } },
    });
  });

  test("is not exceeded by plans that run at once", async () => {
    await using server = await openLight(undefined, { planConcurrency: 8 });
    await action(server, "part", WRITES(2));
    const { session_id } = await server.client.call("session.create", { budget: { tool_calls: 7 } });
    const plans = await Promise.all(
      Array.from({ length: 6 }, (_, n) => use(server, "part", { session_id, arguments: { path: `p${n}` } })),
    );
    const ended = await Promise.all(plans.map((id) => atRest(server.client, id)));
    expect(ended.filter(({ waiting_for }) => waiting_for?.kind === "budget").length).toBeGreaterThanOrEqual(
      3,
    );
    expect(ended.reduce((sum, { execution }) => sum + execution.tool_calls, 0)).toBe(7);
  });
});

describe("the budget of a namespace", () => {
  test("is for a day; when it is used up what runs asks, and nothing new is begun", async () => {
    await using server = await openLight(undefined, { namespaceBudgets: { local: { tool_calls: 3 } } });
    await action(server, "part", WRITES(2));
    await atRest(server.client, await use(server, "part", { arguments: { path: "one" } }));
    const two = await use(server, "part", { arguments: { path: "two" } });
    const asked = await atRest(server.client, two);
    expect(asked.waiting_for?.details?.["account"]).toMatch(/^namespace:local:\d{4}-\d\d-\d\d$/);
    await expect(use(server, "part")).rejects.toMatchObject({ reason: "BUDGET_EXCEEDED", code: -32006 });
    expect((await status(server, two)).budget?.shared).toMatchObject([{ of: "namespace", name: "local" }]);
  });
});
