import { readFile } from "node:fs/promises";
import type { NodeCall, RemoteNodes } from "@cleveragents/application";
import { eventOf, logOf } from "@cleveragents/testing";
import type { ScriptedAnswer } from "@cleveragents/testing/model-server";
import { describe, expect, test } from "vitest";
import { atRest, openThinking, type Thinking, WHOLE_TASK } from "./llm-server.ts";

const call = (name: string, args: object) => ({ name, arguments: args as Record<string, unknown> });
const BROKEN = "export const sum = (a, b) => a - b;\n";
const TEST =
  'import { sum } from "./sum.mjs";\nif (sum(2, 3) !== 5) { console.error("sum is wrong"); process.exit(1); }\n';
const MENDING: readonly ScriptedAnswer[] = [
  { calls: [call("read_file", { path: "sum.mjs" })] },
  { text: '{"file": "sum.mjs", "cause": "it subtracts"}' },
  { calls: [call("edit_file", { path: "sum.mjs", find: "a - b", replace: "a + b" })] },
  { text: "It adds now." },
  { text: "The sum was wrong and is right now." },
];

const example = (name: string) => readFile(new URL(`../../../examples/${name}`, import.meta.url), "utf8");

async function openMending(answers: Parameters<typeof openThinking>[0] = MENDING, options = {}) {
  const server = await openThinking(answers, options);
  await server.repository.write("sum.mjs", BROKEN);
  await server.repository.write("sum.test.mjs", TEST);
  const actor = (await example("graph-mender.yaml")).replace(
    "${MENDER_MODEL:ollama/qwen2.5-coder:7b}",
    "test/model",
  );
  await server.client.call("_cleveragents/registry/actor/add", { document: actor });
  await server.client.call("_cleveragents/registry/action/add", {
    document: await example("graph-mend.yaml"),
  });
  return server;
}

async function mend({ client }: Thinking, profile = "trusted"): Promise<string> {
  const used = await client.call("_cleveragents/plan/use", {
    action_name: "local/mend-with-graph",
    project: "demo",
    automation_profile: profile,
    arguments: { test_command: "node sum.test.mjs" },
  });
  return used.plan_id;
}

/** A graph and an action on it, and a plan of that. */
async function planOf({ client }: Thinking, graph: string, more = "", profile = "trusted"): Promise<string> {
  const document = `name: g\ntype: graph\ndescription: x\nmodel: test/model\n${graph}`;
  await client.call("_cleveragents/registry/actor/add", { document });
  await client.call("_cleveragents/registry/action/add", {
    document: `name: of-g\ndescription: Do it\ndefinition_of_done: x\nexecution_actor: local/g\n${more}`,
  });
  const used = await client.call("_cleveragents/plan/use", {
    action_name: "of-g",
    project: "demo",
    automation_profile: profile,
  });
  return used.plan_id;
}

async function answer(server: Thinking, plan_id: string, option: string, text?: string) {
  const { client } = server;
  await client.call("_cleveragents/plan/approve", {
    plan_id,
    option,
    ...(text === undefined ? {} : { text }),
  });
  return atRest(client, plan_id);
}

function told(server: Thinking, n: number): string {
  return JSON.stringify(server.models.requests[n - 1]?.body["messages"]);
}

describe("a plan whose actor is a graph", () => {
  test(
    "runs the example: finds out what is wrong, mends it, and tests again, on its own",
    WHOLE_TASK,
    async () => {
      await using server = await openMending();
      const plan_id = await mend(server);
      const status = await atRest(server.client, plan_id);
      expect(status).toMatchObject({
        state: "complete",
        waiting_for: { kind: "apply" },
        changes: { files: 1, insertions: 1, deletions: 1 },
        steps: [
          { label: "test: builtin/shell", status: "failed" },
          { label: "read_file sum.mjs", status: "done" },
          { label: "edit_file sum.mjs", status: "done" },
          { label: "test: builtin/shell", status: "done" },
        ],
      });
      expect(server.models.requests).toHaveLength(5);
      expect(told(server, 1)).toContain("sum is wrong");
      expect(told(server, 3)).toContain("in sum.mjs, it subtracts");
      const { input, output } = server.models.used;
      expect(status.budget?.used).toMatchObject({ tokens: input + output });
      const events = (await logOf(server.client, plan_id)).map(eventOf);
      expect(events.filter((event) => event?.event === "graph.node_finished")).toHaveLength(5);
      expect(events.filter((event) => event?.event === "model.output").length).toBeGreaterThan(0);
      expect(await server.machine.checkpoints.list({})).not.toEqual([]);

      await server.client.call("_cleveragents/plan/apply", { plan_id, digest: status.digest! });
      expect(await atRest(server.client, plan_id)).toMatchObject({ state: "applied" });
      expect((await server.repository.read("sum.mjs")).toString()).toBe(BROKEN.replace("-", "+"));
      await expect.poll(() => server.machine.checkpoints.list({})).toEqual([]);
    },
  );

  test("has its calls asked about as all are, and a node that bears it goes on without", async () => {
    await using server = await openMending(({ body }) => ({
      text: JSON.stringify(body["messages"]).includes("JSON alone")
        ? '{"file": "a", "cause": "b"}'
        : "Not yet.",
    }));
    const document = "name: wary\ndescription: x\nextends: auto\nguards: { commands: { ask: ['node *'] } }\n";
    await server.client.call("_cleveragents/profile/add", { document });
    const plan_id = await mend(server, "wary");
    expect(await atRest(server.client, plan_id)).toMatchObject({ waiting_for: { kind: "guard" } });
    expect(await answer(server, plan_id, "deny")).toMatchObject({ waiting_for: { kind: "guard" } });
    expect(told(server, 1)).toContain("The user has refused this call");
    expect(await answer(server, plan_id, "allow")).toMatchObject({
      waiting_for: { kind: "guard" },
      steps: [{ status: "failed" }, { status: "failed" }, { status: "pending" }],
    });
  });
});

const BRANCHES = `
entry_node: which
interrupt_before: [both]
nodes:
  which: { type: ask, question: Which name?, options: [ann, bob], output: pick }
  left: { type: tool, tool: builtin/write_file, arguments: { path: "{{ vars.pick }}.txt", content: left } }
  right: { type: llm, prompt: "Say the name {{ vars.pick }}", output: said }
  both: { type: tool, tool: builtin/write_file, arguments: { path: log.txt, content: "{{ vars.said }}" } }
edges:
  - { from: which, to: [left, right] }
  - { from: [left, right], to: both }
`;

describe("a graph with branches and questions", () => {
  test("asks, works on its branches, waits to be let go on, and takes up where it was after its process died", async () => {
    let n = 0;
    await using server = await openThinking(() => ({ text: `Bob${++n}` }));
    const plan_id = await planOf(server, BRANCHES);
    expect(await atRest(server.client, plan_id)).toMatchObject({
      waiting_for: { kind: "question", prompt: "Which name?", options: [{ label: "ann" }, { label: "bob" }] },
    });
    expect(await answer(server, plan_id, "option-2")).toMatchObject({
      waiting_for: { kind: "question", prompt: "Shall both begin?" },
      steps: [{ label: "ask: Which name?" }, { label: "left: builtin/write_file", status: "done" }, {}],
    });
    expect(told(server, 1)).toContain("Say the name bob");

    await server.killAndStart();
    const status = await answer(server, plan_id, "go-on");
    expect(status).toMatchObject({ waiting_for: { kind: "apply" }, changes: { files: 2 } });
    expect(status.steps).toHaveLength(4);
    expect(server.models.requests).toHaveLength(1);

    // Taken back before the branches, both are worked on again, and the question is not asked again.
    await server.client.call("_cleveragents/plan/rollback", { plan_id, checkpoint: "step-1" });
    let back = await atRest(server.client, plan_id);
    if (back.waiting_for?.kind === "start") back = await answer(server, plan_id, "yes");
    expect(back).toMatchObject({ waiting_for: { prompt: "Shall both begin?" } });
    expect(server.models.requests).toHaveLength(2);
    const again = await answer(server, plan_id, "go-on");
    expect(again).toMatchObject({ waiting_for: { kind: "apply" }, changes: { files: 2, insertions: 2 } });
    const { patch } = await server.client.call("_cleveragents/plan/diff", { plan_id });
    expect(patch).toContain("+Bob2");
    expect(patch).not.toContain("Bob1");
  });

  test("is made of other actors: graphs that are laid into it, models, and tools with their arguments", async () => {
    await using server = await openThinking([{ text: "one" }, { text: "two" }, { text: '{"go": true}' }]);
    for (const document of [
      "name: inner\ntype: graph\ndescription: x\nmodel: test/model\nentry_node: say\nnodes:\n  say: { type: llm, prompt: inside }\n  good: { type: conditional, conditions: [{ check: nodes.say.text == 'one', route_to: END }], default: say, max_visits: 2 }\nedges: [{ from: say, to: good }]\n",
      "name: noter\ntype: tool\ndescription: x\ntool: builtin/write_file\narguments: { path: note.txt, content: nothing }\n",
    ])
      await server.client.call("_cleveragents/registry/actor/add", { document });
    const plan_id = await planOf(
      server,
      `entry_node: part
nodes:
  part: { type: subgraph, actor_path: local/inner }
  coder: { type: agent, actor: local/coder, prompt: "After {{ last }} and {{ nodes['part/say'].text }}" }
  judge: { type: llm, prompt: Judge, format: json, output: verdict }
  note: { type: agent, actor_ref: local/noter, input: { content: "{{ last }}" } }
edges:
  - { from: part, to: coder }
  - { from: coder, to: judge }
  - { from: judge, to: note, when: vars.verdict.go }
  - { from: judge, to: END }
`,
    );
    const status = await atRest(server.client, plan_id);
    expect(status).toMatchObject({
      waiting_for: { kind: "apply" },
      steps: [{ label: "note: builtin/write_file", status: "done" }],
    });
    expect(told(server, 2)).toContain("After one and one");
    const { patch } = await server.client.call("_cleveragents/plan/diff", { plan_id });
    expect(patch).toContain('+{"go": true}');
  });

  test("stops at its bound, to be tried again or given up, and before its budget is exceeded", async () => {
    await using server = await openThinking(() => ({ text: "On and on." }), {
      provider: "    models: { model: { output: 400, prices: { input: 3, output: 15 } } }\n",
    });
    const loop =
      "entry_node: a\nmax_tokens: 200\nnodes: { a: { type: llm, max_visits: 3 } }\nedges: [{ from: a, to: a, when: 'last != \"\"' }, { from: a, to: END }]\n";
    const plan_id = await planOf(server, loop);
    expect(await atRest(server.client, plan_id)).toMatchObject({
      waiting_for: { kind: "retry", prompt: expect.stringContaining("come by a 3 times") },
    });
    expect(server.models.requests).toHaveLength(3);

    const before = { ...server.models.used };
    const tokens = Math.floor((before.input + before.output) * 0.9);
    const used = await server.client.call("_cleveragents/plan/use", {
      action_name: "of-g",
      project: "demo",
      automation_profile: "trusted",
      budget: { tokens },
    });
    const status = await atRest(server.client, used.plan_id);
    expect(status.waiting_for).toMatchObject({
      kind: "budget",
      details: { budget: "tokens", limit: tokens },
    });
    const counted = server.models.used.input + server.models.used.output - before.input - before.output;
    expect(status.budget?.used).toMatchObject({ tokens: counted });
    expect(counted).toBeLessThanOrEqual(tokens);
  });

  test("decides before it works, where it is named for that and hands something in", async () => {
    const strategy = {
      decisions: [
        {
          id: "how",
          question: "How?",
          choice: "plainly",
          confidence: 0.9,
          rationale: "It is enough.",
          alternatives: [],
        },
      ],
      steps: ["Say it"],
    };
    await using server = await openThinking([
      { calls: [call("submit_strategy", strategy)] },
      { text: "Said." },
    ]);
    const thinker = `name: thinker
type: graph
description: x
model: test/model
entry_node: look
nodes:
  look: { type: tool, tool: builtin/list_files, arguments: {} }
  think: { type: llm, prompt: "Decide. There are: {{ last }}", submit_strategy: true }
edges: [{ from: look, to: think }]
`;
    await server.client.call("_cleveragents/registry/actor/add", { document: thinker });
    await server.repository.write("seen.txt", "x");
    const plan_id = await planOf(
      server,
      "nodes: { say: { type: llm } }\n",
      "strategy_actor: local/thinker\n",
    );
    expect(await atRest(server.client, plan_id)).toMatchObject({ state: "applied" });
    expect(told(server, 1)).toContain("seen.txt");
    expect(told(server, 2)).toContain("How? plainly");
    const tree = await server.client.call("_cleveragents/plan/tree", { plan_id });
    expect(JSON.stringify(tree)).toContain("plainly");
    await server.client.call("_cleveragents/registry/action/add", {
      document:
        "name: undecided\ndescription: x\ndefinition_of_done: x\nstrategy_actor: local/g\nexecution_actor: local/g\n",
    });
    const used = await server.client.call("_cleveragents/plan/use", {
      action_name: "undecided",
      project: "demo",
      automation_profile: "trusted",
    });
    expect(await atRest(server.client, used.plan_id)).toMatchObject({ state: "rejected" });
  });
});

describe("a graph that is taken back, or tried again", () => {
  const write = (path: string) => call("write_file", { path, content: "x" });

  test("goes on in the middle of what a model has done, which knows what stands and nothing of what was undone", async () => {
    await using server = await openThinking([
      { text: "First.", calls: [write("one"), write("two")] },
      { text: "Second.", calls: [write("three")] },
      { text: "Worked." },
      { text: "Said." },
      { text: "Worked otherwise." },
      { text: "Said anew." },
    ]);
    const graph =
      "entry_node: work\nnodes:\n  work: { type: llm, tools: ['builtin/*'], prompt: Work }\n  say: { type: llm, prompt: 'Say {{ last }}' }\nedges: [{ from: work, to: say }]\n";
    const plan_id = await planOf(server, graph);
    expect(await atRest(server.client, plan_id)).toMatchObject({ changes: { files: 3 } });
    await server.client.call("_cleveragents/plan/rollback", { plan_id, checkpoint: "step-2" });
    let back = await atRest(server.client, plan_id);
    if (back.waiting_for?.kind === "start") back = await answer(server, plan_id, "yes");
    expect(back).toMatchObject({ waiting_for: { kind: "apply" }, changes: { files: 2 } });
    expect(back.steps).toHaveLength(2);
    expect(told(server, 5)).toContain("First.");
    expect(told(server, 5)).not.toContain("Second.");
    expect(told(server, 6)).toContain("Say Worked otherwise.");
    expect(server.models.requests).toHaveLength(6);
  });

  test("makes a call again that somebody has refused and then wants tried again", async () => {
    await using server = await openThinking([]);
    const document = "name: wary\ndescription: x\nextends: auto\nguards: { commands: { ask: ['true'] } }\n";
    await server.client.call("_cleveragents/profile/add", { document });
    const graph = "nodes: { run: { type: tool, tool: builtin/shell, arguments: { command: 'true' } } }\n";
    const plan_id = await planOf(server, graph, "", "wary");
    expect(await atRest(server.client, plan_id)).toMatchObject({ waiting_for: { kind: "guard" } });
    expect(await answer(server, plan_id, "deny")).toMatchObject({ waiting_for: { kind: "retry" } });
    expect(await answer(server, plan_id, "retry")).toMatchObject({ waiting_for: { kind: "guard" } });
    expect((await answer(server, plan_id, "allow")).steps).toMatchObject([{ status: "done" }]);
  });
});

describe("a node that is carried out elsewhere", () => {
  test("is followed from what was written down, passes on what it asks, and is ended with its plan", async () => {
    const calls: NodeCall[] = [];
    const ended: unknown[] = [];
    const elsewhere: RemoteNodes = {
      kind: "a2a",
      settingsOf: (document) => ({ card: document["card"] ?? "" }),
      async step(call, { say }) {
        calls.push(call);
        if (call.state === undefined) return { kind: "more", state: { at: "sent" } };
        if (call.answer !== undefined) return { kind: "done", text: `answered ${call.answer.text}` };
        say("Working on it.");
        return { kind: "ask", state: { at: "asked" }, question: "How deep?", options: ["deep"] };
      },
      cancel: async (call) => void ended.push(call),
    };
    await using server = await openThinking([], { alter: () => ({ remoteNodes: [elsewhere] }) });
    const other = "name: other\ntype: a2a\ndescription: x\ncard: https://other.example/\n";
    await server.client.call("_cleveragents/registry/actor/add", { document: other });
    const graph =
      "entry_node: far\nnodes:\n  far: { type: agent, actor: other, prompt: Dig, input: { n: '{{ attempt }}' } }\n  more: { type: agent, actor: other, prompt: 'Then {{ last }}' }\nedges: [{ from: far, to: more }]\n";
    const plan_id = await planOf(server, graph);
    expect(await atRest(server.client, plan_id)).toMatchObject({
      waiting_for: { kind: "question", prompt: "How deep?", options: [{ label: "deep" }] },
    });
    await server.killAndStart();
    expect(await answer(server, plan_id, "deep")).toMatchObject({ waiting_for: { prompt: "How deep?" } });
    expect(calls.map(({ text, values, state, answer }) => [text, values, state, answer?.text])).toEqual([
      ["Dig", { n: 1 }, undefined, undefined],
      ["Dig", { n: 1 }, { at: "sent" }, undefined],
      ["Dig", { n: 1 }, { at: "asked" }, "deep"],
      ["Then answered deep", {}, undefined, undefined],
      ["Then answered deep", {}, { at: "sent" }, undefined],
    ]);
    expect(new Set(calls.map(({ callId }) => callId)).size).toBe(2);
    const said = (await logOf(server.client, plan_id))
      .map(eventOf)
      .filter((of) => of?.event === "graph.output");
    expect(said).toHaveLength(2);
    await server.client.call("_cleveragents/plan/cancel", { plan_id });
    await expect.poll(() => ended).toMatchObject([{ callId: calls.at(-1)?.callId, state: { at: "asked" } }]);
  });
});
