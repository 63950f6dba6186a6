import { ToolError } from "@cleveragents/application";
import { atRest, eventOf, logOf } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import { openLight } from "./light-workspace.ts";

const CHOOSING = `
  decisions:
    - id: way
      question: Which way?
      alternatives: [{ id: left }, { id: right, description: the longer one }]
      choose: [{ choice: left, confidence: 0.75 }]
  steps:
    - decide: { id: end, question: How does it end?, alternatives: [{ id: well }, { id: soon }], choose: [{ choice: soon, confidence: 0.75 }] }
    - write: { path: way.txt, content: "{{ decisions.way }}, {{ decisions.end }}" }
`;

/** Tools fail in the ways that are named, in their order. */
function failing(...failures: string[]) {
  return openLight((tools) => ({
    list: () => tools.list(),
    async call(...args) {
      const reason = failures.shift();
      if (reason !== undefined) throw new ToolError(reason, "it could not be");
      return tools.call(...args);
    },
  }));
}

describe("a decision with alternatives", () => {
  test("is asked about where the profile does not leave it to the plan, and is taken as somebody chooses", async () => {
    await using server = await openLight();
    const { client } = server;
    const plan_id = await server.plan(CHOOSING, "cautious");
    await atRest(client, plan_id);
    const status = await client.call("_cleveragents/plan/status", { plan_id });
    // How sure the profile has to be is 0.7 in Strategize and 0.8 in Execute.
    if (status.waiting_for?.kind === "start") await client.call("_cleveragents/plan/execute", { plan_id });
    let rest = await atRest(client, plan_id);
    if (rest.waiting_for?.kind === "start") {
      await client.call("_cleveragents/plan/execute", { plan_id });
      rest = await atRest(client, plan_id);
    }
    expect(rest).toMatchObject({
      phase: "execute",
      waiting_for: {
        kind: "question",
        prompt: "How does it end? The plan would choose soon (75 % sure).",
        options: [{ id: "soon" }, { id: "well" }],
        details: { decision: "end", proposed: "soon", gate: "execute_command" },
      },
    });
    await client.call("_cleveragents/plan/approve", { plan_id, option: "well" });
    expect(await atRest(client, plan_id)).toMatchObject({ waiting_for: { kind: "apply" } });
    await client.call("_cleveragents/plan/apply", { plan_id });
    expect(server.disk.project.get("way.txt")).toBe("left, well");
    const { tree } = await client.call("_cleveragents/plan/tree", { plan_id });
    const decided = JSON.stringify(tree);
    expect(decided).toMatch(/chosen by \w+ in place of soon/);
  });

  test("is asked about each time under manual, and never under trusted", async () => {
    await using server = await openLight();
    const { client } = server;
    const manual = await server.plan(CHOOSING, "manual");
    await atRest(client, manual);
    await client.call("_cleveragents/plan/execute", { plan_id: manual });
    expect(await atRest(client, manual)).toMatchObject({
      phase: "strategize",
      waiting_for: { kind: "question", details: { decision: "way", gate: "edit_code" } },
    });
    await client.call("_cleveragents/plan/approve", { plan_id: manual, option: "left" });
    expect(await atRest(client, manual)).toMatchObject({ waiting_for: { kind: "start" } });
    const trusted = await server.plan(CHOOSING, "trusted");
    expect(await atRest(client, trusted)).toMatchObject({ waiting_for: { kind: "apply" } });
  });
});

describe("a failure for want of something that comes back", () => {
  test("is tried again after a pause where the profile lets it, and that is a decision", async () => {
    await using server = await failing("COMMAND_NOT_STARTED");
    const { client } = server;
    const plan_id = await server.plan("  steps: [{ write: { path: a, content: x } }]", "trusted");
    expect(await atRest(client, plan_id)).toMatchObject({ attempt: 2, waiting_for: { kind: "apply" } });
    const events = (await logOf(client, plan_id)).map(eventOf);
    expect(
      events.find((event) => event?.event === "decision.created" && event["type"] === "error_recovery"),
    ).toMatchObject({
      chosen: "try again",
    });
  });

  test("is asked about where it does not, as is every other failure", async () => {
    await using server = await failing("COMMAND_NOT_STARTED", "FILE_NOT_FOUND");
    const script = "  steps: [{ write: { path: a, content: x } }]";
    const careful = await server.plan(script, "supervised");
    await atRest(server.client, careful);
    await server.client.call("_cleveragents/plan/execute", { plan_id: careful });
    expect(await atRest(server.client, careful)).toMatchObject({
      attempt: 1,
      error: { reason: "COMMAND_NOT_STARTED" },
      waiting_for: { kind: "retry" },
    });
    const other = await server.plan(script, "trusted");
    expect(await atRest(server.client, other)).toMatchObject({ attempt: 1, waiting_for: { kind: "retry" } });
  });
});

test("an estimate is made between Strategize and Execute where the action asks for it, and decides nothing", async () => {
  await using server = await openLight();
  const { client } = server;
  await client.call("_cleveragents/registry/action/add", {
    document:
      "name: estimated\ndescription: x\ndefinition_of_done: x\nestimation_actor: builtin/history\nscript:\n  steps: [{ write: { path: a, content: x } }, { when: attempt > 1, write: { path: b, content: x } }]",
  });
  const made = async () => {
    const { plan_id } = await client.call("_cleveragents/plan/use", {
      action_name: "estimated",
      automation_profile: "ci",
    });
    return atRest(client, plan_id);
  };
  expect((await made()).estimate).toEqual({
    steps: 2,
    tool_calls: { min: 1, max: 2 },
    checks: 0,
    child_plans: 0,
    risk: "low",
    based_on: 0,
  });
  const second = await made();
  expect(second.estimate).toMatchObject({ based_on: 1, seconds: { min: expect.any(Number) } });
  const events = (await logOf(client, second.plan_id)).map(eventOf).map((event) => event?.event);
  expect(events).toContain("plan.estimated");
});
