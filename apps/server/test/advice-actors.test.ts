import { eventOf, logOf } from "@cleveragents/testing";
import type { ScriptedAnswer } from "@cleveragents/testing/model-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { atRest, openThinking, type Thinking } from "./llm-server.ts";
import { type Does, startSampleAgent } from "./sample-agent.ts";

const FIT = { passed: true, summary: "It does what was asked.", findings: [] };
const AGAINST = {
  passed: false,
  summary: "There is no greeting.",
  findings: [{ severity: "blocking", path: "notes.md", message: "No name." }],
};
const WRITES = "script: { steps: [{ write: { path: notes.md, content: 'hello' } }] }\n";

let server: Thinking;
beforeAll(async () => {
  server = await openThinking([]);
});
afterAll(() => server[Symbol.asyncDispose]());

let made = 0;
/** Registers an actor, and makes a plan of a script that the actor looks on. */
async function watched(actor: string, action: string): Promise<string> {
  const n = ++made;
  const { client } = server;
  await client.call("_cleveragents/registry/actor/add", {
    document: `name: eye-${n}\ndescription: x\n${actor}`,
  });
  const document = `name: work-${n}\ndescription: Write a note\ndefinition_of_done: x\n${WRITES}${action.replaceAll("EYE", `local/eye-${n}`)}`;
  await client.call("_cleveragents/registry/action/add", { document });
  const used = await client.call("_cleveragents/plan/use", {
    action_name: `work-${n}`,
    project: "demo",
    automation_profile: "trusted",
  });
  return used.plan_id;
}

const reviewOf = async (plan_id: string) =>
  (await atRest(server.client, plan_id)).validations?.find(({ kind }) => kind === "review");

async function answer(plan_id: string, option: string) {
  await server.client.call("_cleveragents/plan/approve", { plan_id, option });
  return atRest(server.client, plan_id);
}

describe("a script that looks on", () => {
  test("reads files and says what it thinks of the changes", async () => {
    const script = `type: script
script:
  steps:
    - name: notes
      read: { path: notes.md }
  answer:
    passed: "{{ results.notes.content.contains('hello') && advice.changes.contains('+hello') }}"
    summary: "{{ advice.paths[0] }} says {{ results.notes.content }}"
`;
    expect(await reviewOf(await watched(script, "review_actor: EYE\n"))).toMatchObject({
      passed: true,
      message: "notes.md says hello",
      judged_by: `local/eye-${made}`,
    });
  });

  test("judges invariants, and gives an estimate before there is a copy of the project", async () => {
    const script = `type: script
script:
  answer: "{{ advice.role == 'estimation' ? {'steps': 1, 'tool_calls': {'min': 1, 'max': 1}, 'risk': 'low', 'rationale': 'One file.'} : {'judgements': advice.invariants.map(one, {'id': one.id, 'holds': false, 'reason': 'It is rude.'})} }}"
`;
    const plan_id = await watched(
      script,
      "estimation_actor: EYE\ninvariant_actor: EYE\ninvariants: [Notes are polite]\n",
    );
    expect(await atRest(server.client, plan_id)).toMatchObject({
      state: "constrained",
      estimate: { risk: "low", by: `local/eye-${made}` },
      error: { reason: "INVARIANT_VIOLATED", message: expect.stringContaining("It is rude.") },
    });
  });

  test("that answers what cannot be taken holds a required review back, and says why", async () => {
    const script = "type: script\nscript: { answer: { passed: true } }\n";
    expect(
      await atRest(server.client, await watched(script, "review_actor: EYE\nreview_mode: required\n")),
    ).toMatchObject({
      waiting_for: { kind: "retry" },
      error: { reason: "SCRIPT_BAD_ANSWER", message: expect.stringContaining("summary: ") },
    });
  });

  test.each([
    ["without an answer", "script: { steps: [] }", "has no `answer`"],
    [
      "that works",
      "script: { answer: {}, steps: [{ write: { path: a, content: b } }] }",
      "step 1 of its script is `write`",
    ],
  ])("%s is refused for the role", async (_what, script, why) => {
    await expect(watched(`type: script\n${script}\n`, "review_actor: EYE\n")).rejects.toThrow(why);
  });

  test("whose tool may change something is refused before the plan begins", async () => {
    const tool = "type: tool\ntool: builtin/shell\narguments: { command: 'true' }\n";
    expect(await atRest(server.client, await watched(tool, "review_actor: EYE\n"))).toMatchObject({
      state: "rejected",
      error: { message: expect.stringContaining("looks on, and builtin/shell may change something") },
    });
  });
});

test("a tool that looks on is asked, and what it answers is its opinion", async () => {
  await server.repository.write("review.json", JSON.stringify(AGAINST));
  const tool = "type: tool\ntool: builtin/read_file\narguments: { path: review.json }\n";
  expect(await reviewOf(await watched(tool, "review_actor: EYE\n"))).toMatchObject({
    passed: false,
    message: "There is no greeting.",
    data: { findings: [{ severity: "blocking" }] },
  });
});

describe("a graph that looks on", () => {
  const call = (args: object): ScriptedAnswer => ({
    calls: [{ name: "submit_review", arguments: args as Record<string, unknown> }],
  });

  test("looks with its tools, and hands in by a node what it thinks", async () => {
    server.models.say([call({ passed: true, summary: "x", findings: AGAINST.findings }), call(FIT)]);
    const before = server.models.requests.length;
    const graph = `type: graph
model: test/model
entry_node: look
nodes:
  look: { type: tool, tool: builtin/read_file, arguments: { path: notes.md } }
  judge: { type: llm, prompt: "{{ last }} of {{ advice.role }}: {{ advice.changes }}", submit: true }
edges: [{ from: look, to: judge }]
`;
    expect(await reviewOf(await watched(graph, "review_actor: EYE\n"))).toMatchObject({
      passed: true,
      message: "It does what was asked.",
    });
    const asked = server.models.requests.slice(before).map(({ body }) => JSON.stringify(body["messages"]));
    expect(asked[0]).toContain("of review: diff --git");
    expect(asked[1]).toContain("Not taken: passed is true, and there is a blocking finding");
  });

  test("that hands nothing in is taken by what its last node has said, and refused where that is no opinion", async () => {
    server.models.say([{ text: "I like it." }, { text: `\`\`\`json\n${JSON.stringify(FIT)}\n\`\`\`` }]);
    const graph = "type: graph\nmodel: test/model\nnodes: { judge: { type: llm } }\n";
    const plan_id = await watched(graph, "review_actor: EYE\nreview_mode: required\n");
    expect(await atRest(server.client, plan_id)).toMatchObject({
      waiting_for: { kind: "retry" },
      error: { reason: "GRAPH_BAD_ANSWER", message: expect.stringContaining("neither a data part nor JSON") },
    });
    expect(await answer(plan_id, "retry")).toMatchObject({ waiting_for: { kind: "apply" } });
  });
});

describe("an agent elsewhere that looks on", () => {
  const eye = async (does: Does) => {
    const agent = await startSampleAgent(does);
    return { agent, document: `type: a2a\ncard: ${agent.url}\n` };
  };

  test("is asked for its opinion, and again with the reason where that cannot be taken", async () => {
    let n = 0;
    const { agent, document } = await eye((_text, at) =>
      ++n === 1
        ? at.status("COMPLETED", '{"passed": true, "summary": 7}')
        : at.status("COMPLETED", undefined, { data: FIT }),
    );
    await using _ = agent;
    const plan_id = await watched(document, "review_actor: EYE\n");
    expect(await reviewOf(plan_id)).toMatchObject({ passed: true, judged_by: `local/eye-${made}` });
    expect(agent.heard[0]).toContain("+hello");
    expect(agent.heard[1]).toContain("Your last answer could not be taken: summary: ");
    const names = (await logOf(server.client, plan_id)).map((entry) => eventOf(entry)?.event);
    expect(names.filter((name) => name === "remote.asked")).toHaveLength(2);
  });

  test("whose question holds a review up is asked about, and an estimate waits for none", async () => {
    const { agent, document } = await eye((text, at, turn) => {
      if (text.includes("what it will take")) return at.status("INPUT_REQUIRED", "In which currency?");
      if (turn === 1) return at.status("INPUT_REQUIRED", "How strict?");
      at.status("COMPLETED", undefined, { data: FIT });
    });
    await using _ = agent;
    const plan_id = await watched(document, "estimation_actor: EYE\nreview_actor: EYE\n");
    expect(await atRest(server.client, plan_id)).toMatchObject({
      waiting_for: { kind: "question", prompt: expect.stringContaining("How strict?") },
      estimate: { unanswered: expect.stringContaining("In which currency?") },
    });
    expect(agent.cancelled).toHaveLength(1);
    expect(await answer(plan_id, "very")).toMatchObject({ waiting_for: { kind: "apply" } });
  });

  test("is given its question once, also when the process dies while it thinks", async () => {
    const free = Promise.withResolvers<void>();
    const { agent, document } = await eye(async (_text, at) => {
      await free.promise;
      at.status("COMPLETED", undefined, { data: FIT });
    });
    await using _ = agent;
    const plan_id = await watched(document, "review_actor: EYE\n");
    await expect
      .poll(() => agent.calls.some(({ method }) => method === "SubscribeToTask"), { timeout: 15_000 })
      .toBe(true);
    await server.killAndStart();
    free.resolve();
    expect(await reviewOf(plan_id)).toMatchObject({ passed: true });
    expect(agent.heard).toHaveLength(1);
  });
});

test("a graph that decides asks an agent elsewhere, and the user in words, and hands both on", async () => {
  const agent = await startSampleAgent(
    (text, at, turn) =>
      turn === 1 ? at.status("INPUT_REQUIRED", "How short?") : at.status("COMPLETED", `Briefly (${text}).`),
    { inputModes: ["text/plain", "application/json"] },
  );
  await using _ = agent;
  server.models.say([
    { calls: [{ name: "submit_strategy", arguments: { decisions: [], steps: ["Write"] } }] },
  ]);
  const { client } = server;
  for (const document of [
    `name: far\ntype: a2a\ndescription: x\ncard: ${agent.url}\n`,
    `name: thinker
type: graph
description: x
model: test/model
entry_node: ask
nodes:
  ask: { type: ask, question: "For whom?" }
  far: { type: agent, actor: far, prompt: "How to write for {{ last }}?", input: { whom: "{{ last }}" } }
  think: { type: llm, prompt: "They say: {{ last }}", submit: true }
edges: [{ from: ask, to: far }, { from: far, to: think }]
`,
  ])
    await client.call("_cleveragents/registry/actor/add", { document });
  await client.call("_cleveragents/registry/actor/add", {
    document: "name: idle\ntype: script\ndescription: x\nscript: { steps: [] }\n",
  });
  await client.call("_cleveragents/registry/action/add", {
    document:
      "name: thought\ndescription: x\ndefinition_of_done: x\nstrategy_actor: local/thinker\nexecution_actor: local/idle\n",
  });
  const used = await client.call("_cleveragents/plan/use", {
    action_name: "thought",
    project: "demo",
    automation_profile: "trusted",
  });
  const say = async (text: string) => {
    await client.call("_cleveragents/plan/approve", { plan_id: used.plan_id, option: "text", text });
    return atRest(client, used.plan_id);
  };
  const before = server.models.requests.length;
  expect(await atRest(client, used.plan_id)).toMatchObject({ waiting_for: { prompt: "For whom?" } });
  expect(await say("children")).toMatchObject({ waiting_for: { prompt: "How short?" } });
  await say("very");
  expect(agent.heard).toEqual(["How to write for children?", "very"]);
  expect(JSON.stringify(agent.messages[0])).toContain('"whom":"children"');
  expect(JSON.stringify(server.models.requests[before]?.body["messages"])).toContain(
    "They say: Briefly (very).",
  );
});
