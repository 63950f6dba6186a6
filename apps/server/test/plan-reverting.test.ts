import { atRest, eventOf, logOf } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import { openLight } from "./light-workspace.ts";

const GUIDED = `
  decisions:
    - id: word
      question: Which word?
      choose:
        - { when: 'guidance.exists(g, g.contains("formal"))', choice: Good day }
        - { choice: Hi }
  steps:
    - decide: { id: ending, question: How does it end?, choose: [{ choice: "{{ decisions.word }}!" }] }
    - write: { path: "{{ attempt == 1 ? 'first.txt' : 'again.txt' }}", content: "{{ decisions.word }}" }
`;

describe("a plan that is taken back", () => {
  test("to Strategize decides anew by the reason, on a copy that is as at first; what it had decided stays in the tree", async () => {
    await using server = await openLight();
    const { client } = server;
    const plan_id = await server.plan(GUIDED);
    await atRest(client, plan_id);
    await client.call("_cleveragents/plan/revert", { plan_id, reason: "more formal, please" });
    expect(await atRest(client, plan_id)).toMatchObject({
      attempt: 2,
      reversions: 1,
      waiting_for: { kind: "apply" },
    });
    const { files } = await client.call("_cleveragents/plan/diff", { plan_id });
    expect(files.map(({ path }) => path)).toEqual(["again.txt"]);
    const tree = await client.call("_cleveragents/plan/tree", { plan_id, show_superseded: true });
    expect(tree.summary.superseded).toBe(2);
    const [root] = tree.tree;
    expect(root?.superseded).toBe(false);
    expect(root?.children.map(({ type, superseded }) => [type, superseded])).toEqual(
      expect.arrayContaining([
        ["strategy_choice", true],
        ["user_intervention", false],
        ["strategy_choice", false],
      ]),
    );
    await client.call("_cleveragents/plan/apply", { plan_id });
    expect(server.disk.project.get("again.txt")).toBe("Good day");
  });

  test("begins on a new copy where its copy is gone", async () => {
    await using server = await openLight();
    const { client } = server;
    const plan_id = await server.plan(GUIDED);
    await atRest(client, plan_id);
    await server.disk.workspace.release(plan_id);
    server.disk.project.set("later.txt", "by the user");
    await expect(client.call("_cleveragents/plan/apply", { plan_id })).rejects.toMatchObject({
      message: expect.stringContaining("the sandbox is gone"),
    });
    await client.call("_cleveragents/plan/revert", { plan_id, to_phase: "execute" });
    expect(await atRest(client, plan_id)).toMatchObject({ attempt: 2, waiting_for: { kind: "apply" } });
    await client.call("_cleveragents/plan/apply", { plan_id });
    expect([...server.disk.project.keys()]).toEqual(["later.txt", "again.txt"]);
  });

  test("that waits in the middle of a step is not, and is told what can be done", async () => {
    await using server = await openLight();
    const { client } = server;
    const plan_id = await server.plan("  steps: [{ ask: { question: Well? } }]");
    await atRest(client, plan_id);
    await expect(client.call("_cleveragents/plan/revert", { plan_id })).rejects.toMatchObject({
      reason: "INVALID_STATE",
      message: expect.stringContaining("it asks something in the middle of a step: answer that"),
    });
  });

  test("too often is refused, and can still be applied", async () => {
    await using server = await openLight();
    const { client } = server;
    const plan_id = await server.plan("  steps: [{ write: { path: a, content: x } }]");
    for (let n = 1; n <= 5; n++) {
      await atRest(client, plan_id);
      await client.call("_cleveragents/plan/revert", { plan_id, to_phase: "execute" });
    }
    expect(await atRest(client, plan_id)).toMatchObject({ attempt: 6, reversions: 5 });
    await expect(client.call("_cleveragents/plan/revert", { plan_id })).rejects.toMatchObject({
      reason: "INVALID_STATE",
      message: expect.stringContaining("taken back 5 times"),
    });
    expect(await client.call("_cleveragents/plan/apply", { plan_id })).toMatchObject({ state: "applied" });
  });

  test("by ten callers at once is taken back once; whoever wanted something else is told", async () => {
    await using server = await openLight();
    const { client } = server;
    const plan_id = await server.plan("  steps: [{ write: { path: a, content: x } }]");
    await atRest(client, plan_id);
    const calls = Array.from({ length: 10 }, (_, n) =>
      client.call("_cleveragents/plan/revert", { plan_id, to_phase: "execute", reason: `for ${n}` }).then(
        () => "won",
        (error: { readonly reason: string }) => error.reason,
      ),
    );
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((outcome) => outcome === "won")).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(
      new Set(["won", expect.stringMatching(/ANSWER_MISMATCH|INVALID_STATE/)]),
    );
    await atRest(client, plan_id);
    const events = (await logOf(client, plan_id)).map(eventOf);
    expect(events.filter((event) => event?.event === "plan.reverted")).toHaveLength(1);
  });
});

describe("a plan that cannot be carried out", () => {
  test("is rejected before it begins, with every reason", async () => {
    let gone = false;
    await using server = await openLight((tools) => ({
      list: () => tools.list().filter(({ name }) => !gone || !/write_file|delete_file/.test(name)),
      call: (...args) => tools.call(...args),
    }));
    const { client } = server;
    const plan_id = await server.plan(
      "  steps: [{ write: { path: a, content: x } }, { delete: { path: a } }]",
      "manual",
    );
    await atRest(client, plan_id);
    gone = true;
    await client.call("_cleveragents/plan/execute", { plan_id });
    expect(await atRest(client, plan_id)).toMatchObject({
      phase: "strategize",
      state: "rejected",
      task_state: "TASK_STATE_REJECTED",
      error: { reason: "PREFLIGHT_FAILED", recoverable: false },
    });
    const rejected = (await logOf(client, plan_id))
      .map(eventOf)
      .find((event) => event?.event === "plan.rejected");
    expect(rejected?.["problems"]).toEqual([
      { check: "tools", problem: "there is no tool builtin/write_file" },
      { check: "tools", problem: "there is no tool builtin/delete_file" },
    ]);
    await expect(client.call("_cleveragents/plan/execute", { plan_id })).rejects.toMatchObject({
      reason: "INVALID_STATE",
    });
  });
});
