import { eventOf, logOf } from "@cleveragents/testing";
import type { ReceivedRequest, ScriptedAnswer } from "@cleveragents/testing/model-server";
import { describe, expect, test } from "vitest";
import { atRest, openThinking, type Thinking, type ThinkingOptions } from "./llm-server.ts";

const call = (name: string, args: object) => ({ name, arguments: args as Record<string, unknown> });
const WRITES = "script: { steps: [{ write: { path: notes.md, content: 'hello' } }] }\n";
const FIT: ScriptedAnswer = {
  calls: [call("submit_review", { passed: true, summary: "It does what was asked.", findings: [] })],
};

/** A product with actors of one model: `local/judge` besides `local/coder`. */
async function openJudging(
  answers: Parameters<typeof openThinking>[0],
  judge = "",
  options: ThinkingOptions = {},
): Promise<Thinking> {
  const server = await openThinking(answers, options);
  const document = `name: judge\ntype: llm\ndescription: Judges\nmodel: test/model\n${judge}`;
  await server.client.call("_cleveragents/registry/actor/add", { document });
  return server;
}

/** Makes a plan of a script, or of what `action` says in its place. */
async function start(server: Thinking, action: string, more: object = {}): Promise<string> {
  const document = `name: work\ndescription: Write a note\ndefinition_of_done: x\n${action}`;
  await server.client.call("_cleveragents/registry/action/add", { document });
  const used = await server.client.call("_cleveragents/plan/use", {
    action_name: "work",
    project: "demo",
    automation_profile: "trusted",
    ...more,
  });
  return used.plan_id;
}

const eventsOf = async ({ client }: Thinking, plan_id: string, pattern: RegExp) =>
  (await logOf(client, plan_id)).map(eventOf).filter((event) => pattern.test(event?.event ?? ""));

const offered = ({ body }: ReceivedRequest) =>
  (body["tools"] as { function: { name: string } }[]).map((tool) => tool.function.name);

const told = (server: Thinking, n: number) => JSON.stringify(server.models.requests[n - 1]?.body["messages"]);

describe("an estimation actor", () => {
  const ESTIMATE = {
    steps: 1,
    tool_calls: { min: 1, max: 3 },
    seconds: { min: 1, max: 60 },
    risk: "high",
    rationale: "One file.",
  };

  test("says between the phases what the plan will take, is charged for it, and holds nothing back", async () => {
    const wrong = { ...ESTIMATE, tool_calls: { min: 5, max: 3 } };
    await using server = await openJudging([
      { calls: [call("submit_estimate", wrong)] },
      { calls: [call("submit_estimate", ESTIMATE)] },
    ]);
    const plan_id = await start(server, `${WRITES}estimation_actor: local/judge\n`);
    expect(await atRest(server.client, plan_id)).toMatchObject({
      waiting_for: { kind: "apply" },
      estimate: { tool_calls: { min: 1, max: 3 }, risk: "high", by: "local/judge", rationale: "One file." },
      budget: { used: { tokens: server.models.used.input + server.models.used.output } },
    });
    expect(told(server, 2)).toContain("Not taken: tool_calls.min is more than tool_calls.max");
    // There is no copy of the project yet, and so nothing to look at.
    expect(offered(server.models.requests[0] as ReceivedRequest)).toEqual(["submit_estimate"]);
    const used = await server.client.call("_cleveragents/usage/show", { plan_id });
    expect(used.models).toMatchObject([{ model: "test/model", role: "estimation", calls: 2 }]);
    const events = await eventsOf(server, plan_id, /^(plan\.estimated|plan\.phase_changed)/);
    expect(events.map((event) => event?.event)).toEqual(["plan.estimated", "plan.phase_changed"]);
  });

  test("that does not answer is said to have said nothing, and the plan goes on", async () => {
    await using server = await openJudging([{ status: 401 }]);
    const plan_id = await start(server, `${WRITES}estimation_actor: local/judge\n`);
    expect(await atRest(server.client, plan_id)).toMatchObject({
      waiting_for: { kind: "apply" },
      estimate: { steps: 1, unanswered: expect.stringContaining("401") },
    });
  });
});

describe("a review actor", () => {
  const AGAINST = (n: number): ScriptedAnswer => ({
    calls: [
      call("submit_review", {
        passed: false,
        summary: `There is no greeting (${n}).`,
        findings: [{ severity: "blocking", path: "notes.md", line: 1, message: "No name." }],
      }),
    ],
  });

  test("looks at the changes before they are offered, and says what it thinks of them", async () => {
    await using server = await openJudging([
      { calls: [call("read_file", { path: "notes.md" })] },
      AGAINST(1),
    ]);
    const plan_id = await start(server, `${WRITES}review_actor: local/judge\n`);
    const status = await atRest(server.client, plan_id);
    expect(status).toMatchObject({ state: "complete", waiting_for: { kind: "apply" } });
    expect(status.validations?.find(({ kind }) => kind === "review")).toMatchObject({
      mode: "informational",
      passed: false,
      message: "There is no greeting (1).",
      judged_by: "local/judge",
      data: { findings: [{ severity: "blocking", path: "notes.md", line: 1 }] },
    });
    expect(told(server, 1)).toContain("+hello");
    expect(offered(server.models.requests[0] as ReceivedRequest)).not.toContain("write_file");
    const tree = await server.client.call("_cleveragents/plan/tree", { plan_id });
    expect(JSON.stringify(tree)).toContain("Do the changes pass the review?");
    const [judged] = await eventsOf(server, plan_id, /^validation\.failed/);
    expect(judged).toMatchObject({ kind: "review", judged_by: "local/judge" });
  });

  test("that has to let the changes pass holds them back, and is asked anew when they are checked again", async () => {
    await using server = await openJudging([AGAINST(1)]);
    const plan_id = await start(server, `${WRITES}review_actor: local/judge\nreview_mode: required\n`);
    expect(await atRest(server.client, plan_id)).toMatchObject({
      state: "constrained",
      error: {
        reason: "VALIDATION_FAILED",
        message: expect.stringContaining("local/judge does not let it pass"),
      },
    });
    server.models.say([FIT]);
    await server.client.call("_cleveragents/plan/approve", { plan_id, option: "retry" });
    expect(await atRest(server.client, plan_id)).toMatchObject({ waiting_for: { kind: "apply" } });
  });

  test("is not asked where nothing was changed", async () => {
    await using server = await openJudging([]);
    const plan_id = await start(server, "script: { steps: [] }\nreview_actor: local/judge\n");
    expect(await atRest(server.client, plan_id)).toMatchObject({ state: "applied" });
    expect(server.models.requests).toEqual([]);
  });

  test("sees as much of a diff as its model takes, and is told what is left out", async () => {
    await using server = await openJudging([FIT], "limits: { context: 4000 }\n");
    const long = `script: { steps: [{ write: { path: long.txt, content: '${"word ".repeat(20_000)}' } }] }\n`;
    const plan_id = await start(server, `${long}review_actor: local/judge\n`);
    expect(await atRest(server.client, plan_id)).toMatchObject({ validations: [{}, { passed: true }] });
    expect(server.models.requests[0]?.tokens).toBeLessThan(4000);
    expect(told(server, 1)).toContain("characters left out here");
  });
});

describe("an invariant actor", () => {
  const RULES = "invariants:\n  - Notes are polite\n  - { text: no binaries, paths: { deny: ['*.bin'] } }\n";

  test("judges what no machine can check, and the verdict says which was which", async () => {
    const judgements = [{ id: "inv_action_1", holds: true, reason: "It says hello." }];
    await using server = await openJudging([
      { calls: [call("submit_judgements", { judgements: [] })] },
      { calls: [call("submit_judgements", { judgements })] },
    ]);
    const plan_id = await start(server, `${WRITES}${RULES}invariant_actor: local/judge\n`);
    const status = await atRest(server.client, plan_id);
    expect(status).toMatchObject({ waiting_for: { kind: "apply" } });
    expect(status.invariants).toMatchObject([
      { text: "Notes are polite", passed: true, message: "It says hello.", judged_by: "local/judge" },
      { text: "no binaries", passed: true },
    ]);
    expect(status.invariants?.[1]).not.toHaveProperty("judged_by");
    expect(told(server, 2)).toContain("there is nothing about inv_action_1");
  });

  test("holds the changes back where one does not hold", async () => {
    const judgements = [{ id: "inv_action_1", holds: false, reason: "It shouts." }];
    await using server = await openJudging([{ calls: [call("submit_judgements", { judgements })] }]);
    const plan_id = await start(server, `${WRITES}${RULES}invariant_actor: local/judge\n`);
    expect(await atRest(server.client, plan_id)).toMatchObject({
      state: "constrained",
      error: { reason: "INVARIANT_VIOLATED", message: expect.stringContaining("It shouts.") },
    });
  });

  test("is not asked where a machine has found something against the changes already", async () => {
    await using server = await openJudging([]);
    const rules = "invariants:\n  - Notes are polite\n  - { text: no notes, paths: { deny: ['*.md'] } }\n";
    const plan_id = await start(server, `${WRITES}${rules}invariant_actor: local/judge\n`);
    expect(await atRest(server.client, plan_id)).toMatchObject({ state: "constrained" });
    expect(server.models.requests).toEqual([]);
  });

  test("that cannot be reached stops the plan, which asks and goes on from there", async () => {
    await using server = await openJudging([{ status: 401 }]);
    const plan_id = await start(server, `${WRITES}${RULES}invariant_actor: local/judge\n`);
    expect(await atRest(server.client, plan_id)).toMatchObject({
      error: { reason: "MODEL_AUTH" },
      waiting_for: { kind: "retry" },
    });
    const judgements = [{ id: "inv_action_1", holds: true, reason: "Fine." }];
    server.models.say([{ calls: [call("submit_judgements", { judgements })] }]);
    await server.client.call("_cleveragents/plan/approve", { plan_id, option: "retry" });
    expect(await atRest(server.client, plan_id)).toMatchObject({ waiting_for: { kind: "apply" } });
  });

  test("that was cut off is asked the same again, and no verdict is given twice", async () => {
    const judgements = [{ id: "inv_action_1", holds: true, reason: "Fine." }];
    await using server = await openJudging([
      { calls: [call("submit_judgements", { judgements })], hangAfter: 1 },
      { calls: [call("submit_judgements", { judgements })] },
    ]);
    const plan_id = await start(server, `${WRITES}${RULES}invariant_actor: local/judge\n`);
    await expect.poll(() => server.models.requests.length).toBe(1);
    await server.killAndStart();
    expect(await atRest(server.client, plan_id)).toMatchObject({ waiting_for: { kind: "apply" } });
    expect(server.models.requests[1]?.body).toEqual(server.models.requests[0]?.body);
    expect(await eventsOf(server, plan_id, /^invariant\.enforced/)).toHaveLength(2);
  });
});

describe("an actor is refused for a role", () => {
  test.each([
    ["review", "name: fixed\ntype: script\ndescription: x\nscript: { steps: [] }\n", "has no `answer`"],
    [
      "estimation",
      "name: fixed\ntype: llm\ndescription: x\nmodel: test/model\nrole_hint: review\n",
      "it is for review (role_hint)",
    ],
  ])("%s that it cannot have", async (role, document, why) => {
    await using server = await openJudging([]);
    await server.client.call("_cleveragents/registry/actor/add", { document });
    await expect(start(server, `${WRITES}${role}_actor: local/fixed\n`)).rejects.toThrow(why);
  });

  test("of work that it says it is not meant for", async () => {
    await using server = await openJudging([], "role_hint: review\n");
    await expect(start(server, "execution_actor: local/judge\n")).rejects.toThrow("it is for review");
  });
});
