import {
  type CodeContextRequest,
  type CodeIntelligence,
  type ToolDescriptor,
  ToolError,
  type ToolProvider,
} from "@cleveragents/application";
import { eventOf, logOf } from "@cleveragents/testing";
import type { ScriptedAnswer } from "@cleveragents/testing/model-server";
import { expect, test } from "vitest";
import { atRest, openThinking, type Thinking } from "./llm-server.ts";

const call = (name: string, args: object) => ({ name, arguments: args as Record<string, unknown> });
const NOTHING: ScriptedAnswer = { calls: [call("submit_strategy", { decisions: [], steps: [] })] };
const WRITES: readonly ScriptedAnswer[] = [
  NOTHING,
  { calls: [call("write_file", { path: "sum.ts", content: "export const sum = bad;\n" })] },
  { text: "Done." },
];

/** Language servers that find the word `bad` wherever it stands; what they are asked is written down. */
function servers(failed: readonly { server: string; reason: string; message: string }[] = []) {
  const asked: CodeContextRequest[] = [];
  const started: unknown[] = [];
  const intelligence: CodeIntelligence = {
    test: async () => Promise.reject(new Error("nobody tests here")),
    async activate(binding) {
      started.push(binding);
      return { servers: [{ name: "local/words" } as never], failed };
    },
    async context(request) {
      asked.push(request);
      const found = request.files.map((file) => `${file}:1:20 error: bad word`).join("\n");
      return {
        text: `Problems:\n${found}`,
        data: { type: "code_context", entries: [{ found: request.files.length }] },
      };
    },
  };
  return { asked, started, intelligence };
}

const last = (server: Thinking, n: number) =>
  JSON.stringify((server.models.requests[n - 1]?.body["messages"] as unknown[] | undefined)?.at(-1));

test("a model whose actor binds language servers is told what they say of the files that it has touched", async () => {
  const { asked, started, intelligence } = servers([
    { server: "local/other", reason: "TRUST", message: "not trusted" },
  ]);
  await using server = await openThinking(WRITES, {
    actor: "lsp: auto\nlimits: { code_context: 500 }\n",
    alter: () => ({ codeIntelligence: intelligence }),
  });
  const plan_id = await server.task("Write the sum");
  await atRest(server.client, plan_id);
  expect(started).toEqual([
    { languages: [], servers: [], auto: true },
    { languages: [], servers: [], auto: true },
  ]);
  expect(asked).toMatchObject([{ files: ["sum.ts"], maxCharacters: 500 }]);
  expect(last(server, 2)).not.toContain("bad word");
  expect(last(server, 3)).toContain("sum.ts:1:20 error: bad word");
  const events = (await logOf(server.client, plan_id)).map(eventOf);
  expect(events.find((event) => event?.event === "code.activated")).toMatchObject({
    servers: ["local/words"],
    failed: [{ server: "local/other", message: "not trusted" }],
  });
  expect(events.filter((event) => event?.event === "model.asked").at(-1)).toMatchObject({
    context: { type: "code_context", entries: [{ found: 1 }] },
  });
});

test("what they said is what is sent again after a crash, whatever they would say by then", async () => {
  const { asked, intelligence } = servers();
  await using server = await openThinking(
    [...WRITES.slice(0, 2), { text: "I begin", hangAfter: 1 }, { text: "Done." }],
    { actor: "lsp: { language: typescript }\n", alter: () => ({ codeIntelligence: intelligence }) },
  );
  const plan_id = await server.task("Write the sum");
  await expect.poll(() => server.models.requests.length).toBe(3);
  await server.killAndStart();
  await atRest(server.client, plan_id);
  expect(server.models.requests[3]?.body).toEqual(server.models.requests[2]?.body);
  expect(asked).toHaveLength(1);
});

test("an actor without a binding starts none", async () => {
  const { asked, started, intelligence } = servers();
  await using server = await openThinking(WRITES, { alter: () => ({ codeIntelligence: intelligence }) });
  await atRest(server.client, await server.task("Write the sum"));
  expect([asked, started]).toEqual([[], []]);
});

test("a server that is bound by name and not registered stops the plan, which says so and can be tried again", async () => {
  const { intelligence } = servers();
  let missing = true;
  const activate: CodeIntelligence["activate"] = async (...args) => {
    if (missing) throw new ToolError("LSP_NO_SERVER", "there is no language server local/words");
    return intelligence.activate(...args);
  };
  await using server = await openThinking(WRITES, {
    actor: "lsp: [words]\n",
    alter: () => ({ codeIntelligence: { ...intelligence, activate } }),
  });
  const plan_id = await server.task("Write the sum");
  expect(await atRest(server.client, plan_id)).toMatchObject({
    error: { reason: "LSP_NO_SERVER", message: "there is no language server local/words" },
    waiting_for: { kind: "retry" },
  });
  expect(server.models.requests).toEqual([]);
  missing = false;
  await server.client.call("_cleveragents/plan/approve", { plan_id, option: "retry" });
  expect(await atRest(server.client, plan_id)).toMatchObject({ waiting_for: { kind: "apply" } });
});

/** A tool, like one that is there, that notes which language servers its calls may ask. */
function noting(seen: unknown[], like: ToolProvider): ToolProvider {
  const known = like.list().find(({ name }) => name === "builtin/list_files") as ToolDescriptor;
  return {
    list: () => [{ ...known, name: "probe/look" }],
    async call(_name, _args, { lsp }) {
      seen.push(lsp);
      return { value: {}, summary: "looked" };
    },
  };
}
const LOOK: ScriptedAnswer = { calls: [call("probe_look", {})] };
const only = (name: string) => ({ languages: [], servers: [name], auto: false });

test("each call may ask the servers that its own actor has bound, in every phase and in every node of a graph", async () => {
  const seen: unknown[] = [];
  const { intelligence } = servers();
  await using server = await openThinking(
    [LOOK, NOTHING, LOOK, { text: "Done." }, LOOK, { text: "One." }, LOOK, { text: "Two." }],
    {
      actor: "tools: [probe/look]\nlsp: [words]\n",
      alter: ({ toolProviders }) => ({
        codeIntelligence: intelligence,
        toolProviders: [...toolProviders, noting(seen, toolProviders[0] as ToolProvider)],
      }),
    },
  );
  await atRest(server.client, await server.task("Look around"));
  expect(seen.splice(0)).toEqual([only("local/words"), only("local/words")]);
  const graph = `name: two
type: graph
description: x
model: test/model
entry_node: one
nodes:
  one: { type: llm, prompt: Look, tools: [probe/look], lsp_binding: { server: first } }
  two: { type: llm, prompt: Look, tools: [probe/look] }
edges: [{ from: one, to: two }]
`;
  await server.client.call("_cleveragents/registry/actor/add", { document: graph });
  const action = "name: of-two\ndescription: x\ndefinition_of_done: x\nexecution_actor: local/two\n";
  await server.client.call("_cleveragents/registry/action/add", { document: action });
  const { plan_id } = await server.client.call("_cleveragents/plan/use", {
    action_name: "of-two",
    project: "demo",
    automation_profile: "trusted",
  });
  await atRest(server.client, plan_id);
  expect(seen).toEqual([only("local/first"), undefined]);
});
