import type { ToolDescriptor } from "@cleveragents/application";
import { RemoteError } from "@cleveragents/protocol";
import { atRest, eventOf, logOf } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import { type Altered, openAltered } from "./altered-server.ts";

const write = (name: string) => `    - write: { path: ${name}, content: x }`;
const run = (command: string) => `    - run: { command: ${JSON.stringify(command)} }`;
const script = (...steps: string[]) => `  steps:\n${steps.join("\n")}`;

/** A server with a profile that lets everything but Apply go by itself, and has this in addition. */
async function guarded(body: string, alter?: Parameters<typeof openAltered>[0]) {
  const server = await openAltered(alter);
  const document = `name: guarded\ndescription: x\nextends: auto\n${body}\n`;
  await server.client.call("_cleveragents/profile/add", { document });
  const started = async (...steps: string[]) => {
    const plan_id = await server.plan(script(...steps), "guarded");
    return { plan_id, status: await atRest(server.client, plan_id) };
  };
  const answer = async (plan_id: string, option: string, text?: string) => {
    const params = text === undefined ? { plan_id, option } : { plan_id, option, text };
    await server.client.call("_cleveragents/plan/approve", params);
    return atRest(server.client, plan_id);
  };
  return Object.assign(server, { started, answer });
}

/** The domain events of a plan with these names, each with its data. */
async function eventsOf({ client }: Altered, plan_id: string, pattern: RegExp) {
  return (await logOf(client, plan_id)).map(eventOf).filter((event) => pattern.test(event?.event ?? ""));
}

describe("a budget", () => {
  test("that is used up asks before the next call, and goes on when it is raised", async () => {
    await using server = await guarded("budget: { tool_calls: 2 }");
    const { plan_id, status } = await server.started(write("a"), write("b"), write("c"));
    expect(status).toMatchObject({
      task_state: "TASK_STATE_INPUT_REQUIRED",
      error: { reason: "BUDGET_EXCEEDED", step: "3 of 3" },
      budget: { limits: { tool_calls: 2 }, used: { tool_calls: 2 } },
      steps: [{ status: "done" }, { status: "done" }, { status: "pending" }],
      waiting_for: {
        kind: "budget",
        options: [{ id: "raise" }, { id: "stop" }],
        details: { budget: "tool_calls", limit: 2, used: 2, raise_to: 4 },
      },
    });
    const raised = await server.answer(plan_id, "raise");
    expect(raised).toMatchObject({
      state: "complete",
      waiting_for: { kind: "apply" },
      budget: { limits: { tool_calls: 4 }, used: { tool_calls: 3 } },
    });
    expect(raised.error).toBeUndefined();
    expect(await eventsOf(server, plan_id, /^budget\./)).toMatchObject([
      { event: "budget.warning", budget: "tool_calls", limit: 2, used: 2 },
      { event: "budget.exceeded", budget: "tool_calls", limit: 2, used: 2 },
      { event: "budget.raised", budget: "tool_calls", limit: 4 },
    ]);
  });

  test("is warned of once, when four fifths of it are used", async () => {
    await using server = await guarded("budget: { tool_calls: 5 }");
    const { plan_id } = await server.started(...["a", "b", "c", "d", "e"].map(write));
    expect(await eventsOf(server, plan_id, /^budget\./)).toMatchObject([
      { event: "budget.warning", used: 4 },
    ]);
  });

  test("of nothing lets nothing through", async () => {
    await using server = await guarded("budget: { tool_calls: 0 }");
    const { status } = await server.started(write("a"));
    expect(status).toMatchObject({ waiting_for: { kind: "budget" }, budget: { used: {} } });
  });

  test("is raised to the number in the answer's text, and a number that leaves nothing is refused", async () => {
    await using server = await guarded("budget: { tool_calls: 1 }");
    const { plan_id } = await server.started(write("a"), write("b"), write("c"));
    for (const text of ["1", "a lot", "-3", "Infinity"]) {
      const refused = await server.answer(plan_id, "raise", text).catch((error: unknown) => error);
      expect(RemoteError.is(refused) && refused.reason, text).toBe("ANSWER_MISMATCH");
    }
    expect(await server.answer(plan_id, "raise", "2")).toMatchObject({
      waiting_for: { kind: "budget", details: { limit: 2, used: 2 } },
    });
  });

  test("that is not raised ends the plan", async () => {
    await using server = await guarded("budget: { tool_calls: 1 }");
    const { plan_id } = await server.started(write("a"), write("b"));
    expect(await server.answer(plan_id, "stop")).toMatchObject({
      task_state: "TASK_STATE_FAILED",
      error: { reason: "BUDGET_EXCEEDED" },
    });
  });

  test("is charged once for a call that was cut off and is made again", async () => {
    let calls = 0;
    await using server = await guarded("budget: { tool_calls: 1 }", ({ toolProviders: [builtin] }) => ({
      toolProviders: [
        {
          list: () => builtin?.list() ?? [],
          async call(...args) {
            if (++calls === 1) await new Promise<void>(() => undefined);
            return (builtin as NonNullable<typeof builtin>).call(...args);
          },
        },
      ],
    }));
    const plan_id = await server.plan(script(write("a")), "guarded");
    await expect.poll(() => eventsOf(server, plan_id, /^tool\.invoked$/)).toHaveLength(1);
    await server.killAndStart();
    expect(await atRest(server.client, plan_id)).toMatchObject({
      waiting_for: { kind: "apply" },
      budget: { used: { tool_calls: 1 } },
    });
    expect(calls).toBe(2);
  });

  test("of money is reserved by the tool's estimate and settled by what it has cost", async () => {
    const used = [0.2, 0.9];
    await using server = await guarded("budget: { cost_usd: 1 }", ({ toolProviders: [builtin] }) => ({
      toolProviders: [
        {
          list: () =>
            (builtin?.list() ?? []).map(
              (tool): ToolDescriptor => ({ ...tool, costOf: () => ({ cost_usd: 0.5 }) }),
            ),
          async call(...args) {
            const result = await (builtin as NonNullable<typeof builtin>).call(...args);
            return { ...result, used: { cost_usd: used.shift() ?? 0 } };
          },
        },
      ],
    }));
    const { status } = await server.started(write("a"), write("b"), write("c"));
    expect(status).toMatchObject({
      waiting_for: { kind: "budget", details: { budget: "cost_usd", limit: 1, used: 1.1 } },
      steps: [{ status: "done" }, { status: "done" }, { status: "pending" }],
    });
  });

  test("is the tightest of the profile's, the action's and the plan's", async () => {
    await using server = await guarded("budget: { tool_calls: 5, seconds: 60 }");
    const { client } = server;
    const document = `name: tight\ndescription: x\ndefinition_of_done: x\nbudget: { tool_calls: 3, tokens: 9 }\nscript:\n${script(write("a"))}`;
    await client.call("_cleveragents/registry/action/add", { document });
    const { plan_id } = await client.call("_cleveragents/plan/use", {
      action_name: "tight",
      project: "demo",
      automation_profile: "guarded",
      budget: { tool_calls: 4, seconds: 90 },
    });
    expect(await client.call("_cleveragents/plan/status", { plan_id })).toMatchObject({
      budget: { limits: { tool_calls: 3, seconds: 60, tokens: 9 } },
    });
  });
});

describe("the same call", () => {
  test("a third time in a row is asked about, under every profile", async () => {
    await using server = await guarded("");
    const same = run("cat nothing || true");
    const first = await server.started(same, same, write("a"), same, same, write("b"));
    expect(first.status.waiting_for?.kind).toBe("apply");
    const { plan_id, status } = await server.started(same, same, same, same);
    expect(status).toMatchObject({
      steps: [{ status: "done" }, { status: "done" }, { status: "pending" }, { status: "pending" }],
      waiting_for: { kind: "guard", details: { guard: "loop", tool: "builtin/shell" } },
    });
    expect(await server.answer(plan_id, "always")).toMatchObject({ state: "applied" });
  });

  test("with anything else in between is no loop: editing and testing in turns is how work is done", async () => {
    await using server = await guarded("");
    const test = run("test -f a");
    const edit = "    - edit: { path: a, find: x, replace: x }";
    const read = (path: string) => `    - read: { path: ${path} }`;
    const inTurns = await server.started(write("a"), edit, test, edit, test, edit, test);
    expect(inTurns.status.waiting_for?.kind).toBe("apply");
    const rounds = [read("a"), read("b"), read("a"), read("b"), read("a"), read("b")];
    const round = await server.started(write("a"), write("b"), ...rounds);
    expect(round.status.waiting_for?.kind).toBe("apply");
    const said = await server.started(
      test.replace("-f a", "! -f a"),
      "    - say: { text: so }",
      ...Array(2).fill(test.replace("-f a", "! -f a")),
    );
    expect(said.status.task_state).toBe("TASK_STATE_COMPLETED");
  });
});

describe("a guard", () => {
  test("denies a tool before it is called, and the log says which guard and why", async () => {
    let calls = 0;
    await using server = await guarded(
      "guards: { tool_denylist: ['builtin/write_*'], tool_allowlist: ['builtin/*'] }",
      ({ toolProviders: [builtin] }) => ({
        toolProviders: [
          {
            list: () => builtin?.list() ?? [],
            call: (...args) => {
              calls++;
              return (builtin as NonNullable<typeof builtin>).call(...args);
            },
          },
        ],
      }),
    );
    const { plan_id, status } = await server.started(write("a"));
    expect(status).toMatchObject({
      error: { reason: "GUARD_DENIED" },
      waiting_for: { kind: "retry" },
      budget: { used: {} },
    });
    expect(calls).toBe(0);
    expect(await eventsOf(server, plan_id, /^(?:guard|tool)\./)).toMatchObject([
      { event: "guard.denied", guard: "denylist", verdict: "deny", tool: "builtin/write_file" },
    ]);
  });

  test("denies a tool that is not on the list, and every call beyond the limit of a step", async () => {
    await using server = await guarded("guards: { tool_allowlist: [builtin/read_file] }");
    const { status } = await server.started(write("a"));
    expect(status.error?.reason).toBe("GUARD_DENIED");
    await using limited = await guarded("guards: { max_tool_calls_per_step: 0 }");
    expect((await limited.started(write("a"))).status.error?.reason).toBe("GUARD_DENIED");
  });

  test("asks before what writes; what is allowed once is asked about again", async () => {
    await using server = await guarded("guards: { require_approval_for_writes: true }");
    const { plan_id, status } = await server.started(write("a"), write("a"));
    expect(status).toMatchObject({
      waiting_for: { kind: "guard", details: { guard: "writes" } },
      steps: [{ status: "pending" }, { status: "pending" }],
    });
    expect(await server.answer(plan_id, "allow")).toMatchObject({
      waiting_for: { kind: "guard", details: { guard: "writes" } },
      steps: [{ status: "done" }, { status: "pending" }],
    });
    expect(await server.answer(plan_id, "allow")).toMatchObject({ waiting_for: { kind: "apply" } });
    expect(await eventsOf(server, plan_id, /^(?:guard\.|tool\.invoked)/)).toMatchObject([
      { event: "guard.asked", guard: "writes" },
      { event: "guard.approved", guard: "writes" },
      { event: "tool.invoked", verdict: "allow", guard: "writes" },
      { event: "guard.asked" },
      { event: "guard.approved" },
      { event: "tool.invoked" },
    ]);
  });

  test("that is answered with no fails the step, which may be tried again", async () => {
    await using server = await guarded("guards: { require_approval_for_writes: true }");
    const { plan_id } = await server.started(write("a"));
    await server.client.call("_cleveragents/plan/reject", { plan_id });
    expect(await atRest(server.client, plan_id)).toMatchObject({
      error: { reason: "GUARD_DENIED" },
      steps: [{ status: "failed" }],
      waiting_for: { kind: "retry" },
    });
    await server.client.call("_cleveragents/plan/execute", { plan_id });
    expect(await atRest(server.client, plan_id)).toMatchObject({ waiting_for: { kind: "guard" } });
  });

  test("of a profile that goes through by itself can still ask before Apply", async () => {
    await using server = await openAltered();
    const document =
      "name: shown\ndescription: x\nextends: ci\nguards: { require_approval_for_apply: true }\n";
    await server.client.call("_cleveragents/profile/add", { document });
    const plan_id = await server.plan(script(write("a")), "shown");
    expect(await atRest(server.client, plan_id)).toMatchObject({ waiting_for: { kind: "apply" } });
  });

  test("lets a plan with an approval that its process did not live to use go on without asking again", async () => {
    let calls = 0;
    await using server = await guarded(
      "guards: { require_approval_for_writes: true }",
      ({ toolProviders: [builtin] }) => ({
        toolProviders: [
          {
            list: () => builtin?.list() ?? [],
            async call(...args) {
              if (++calls === 1) await new Promise<void>(() => undefined);
              return (builtin as NonNullable<typeof builtin>).call(...args);
            },
          },
        ],
      }),
    );
    const { plan_id } = await server.started(write("a"));
    await server.client.call("_cleveragents/plan/approve", { plan_id, option: "allow" });
    await expect.poll(() => eventsOf(server, plan_id, /^tool\.invoked$/)).toHaveLength(1);
    await server.killAndStart();
    expect(await atRest(server.client, plan_id)).toMatchObject({ waiting_for: { kind: "apply" } });
  });
});

describe("the rules for commands", () => {
  const RULES = "guards: { commands: { allow: ['touch ok*'], deny: [rm] } }";

  test("let harmless and allowed commands run, ask about others, and never run what is denied", async () => {
    await using server = await guarded(RULES);
    const { plan_id, status } = await server.started(
      run("pwd | cat"),
      run("touch ok"),
      run("touch other"),
      run("true; sh -c 'rm -rf ok'"),
    );
    expect(status).toMatchObject({
      steps: [{ status: "done" }, { status: "done" }, { status: "pending" }, { status: "pending" }],
      waiting_for: { kind: "guard", details: { guard: "commands", reason: 'no rule allows "touch other"' } },
    });
    expect(await server.answer(plan_id, "allow")).toMatchObject({
      error: { reason: "GUARD_DENIED", message: expect.stringContaining("rm") },
      steps: [{ status: "done" }, { status: "done" }, { status: "done" }, { status: "failed" }],
    });
    expect(await eventsOf(server, plan_id, /^guard\.denied|tool\.invoked/)).toMatchObject([
      { verdict: "allow", guard: "commands", reason: "pwd changes nothing, whatever its arguments" },
      { verdict: "allow", reason: '"touch ok" is allowed by the rule "touch ok*"' },
      { verdict: "allow", reason: expect.stringContaining("approved") },
      { event: "guard.denied", verdict: "deny", guard: "commands" },
    ]);
  });

  test("ask about a harmless command that is given another PATH", async () => {
    await using server = await guarded(RULES);
    const { status } = await server.started(`    - run: { command: ls, env: { PATH: /tmp } }`);
    expect(status.waiting_for?.details).toMatchObject({ guard: "commands", reason: "it sets PATH" });
  });
});
