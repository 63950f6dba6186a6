import type { ScriptedAnswer } from "@cleveragents/testing/model-server";
import { describe, expect, test } from "vitest";
import { atRest, openThinking, type Thinking } from "./llm-server.ts";

const call = (name: string, args: object) => ({ name, arguments: args as Record<string, unknown> });
const create = (server: Thinking, plan_definition: object, more: object = {}) =>
  server.client.call("_cleveragents/plan/create", {
    plan_definition: { name: "steps", ...plan_definition } as never,
    project: "demo",
    automation_profile: "trusted",
    ...more,
  });
const told = (server: Thinking, n: number) => JSON.stringify(server.models.requests[n - 1]?.body["messages"]);
const WRITES: readonly ScriptedAnswer[] = [
  { calls: [call("write_file", { path: "haiku.txt", content: "snow" })] },
  { text: "A haiku is written." },
];

describe("a step in words", () => {
  test("is carried out by the actor that it names, within the plan, and later steps know what was said", async () => {
    await using server = await openThinking(WRITES);
    const { task_id } = await create(server, {
      steps: [
        { id: "poem", type: "prompt", action: "Write a haiku", params: { actor: "coder" } },
        {
          type: "tool",
          action: "write_file",
          params: { path: "said.txt", content: "{{ results.poem.prompt.text }}" },
        },
      ],
    });
    const status = await atRest(server.client, task_id);
    expect(status).toMatchObject({
      waiting_for: { kind: "apply" },
      changes: { files: 2 },
      steps: [{ label: "prompt: Write a haiku", status: "done" }, { status: "done" }],
      children: [{ name: "prompt", action: "prompt to coder", status: "complete", merged: true }],
    });
    const { patch } = await server.client.call("_cleveragents/plan/diff", { plan_id: task_id });
    expect(patch).toMatch(/\+snow.*\+A haiku is written\./s);
    // It was said what is to be done: nobody decides it first.
    expect(server.models.requests).toHaveLength(2);
    expect(told(server, 1)).toContain("Task: Write a haiku");
  });

  test("or a skill that is text alone is for the definition's actor where it names none", async () => {
    await using server = await openThinking(WRITES);
    await server.repository.write(
      ".agents/skills/poems/SKILL.md",
      "---\nname: poems\ndescription: Writes poems\n---\nCount syllables on {{ fingers }}.\n",
    );
    const { task_id } = await create(server, {
      actor: "local/coder",
      steps: [{ type: "skill", action: "poems", params: {} }],
    });
    expect(await atRest(server.client, task_id)).toMatchObject({ changes: { files: 1 } });
    expect(told(server, 1)).toContain("Count syllables on { { fingers } }.");
  });

  test.each([
    [{}, {}, "it says nothing of who carries it out"],
    [{ actor: "nobody" }, {}, "no actor local/nobody"],
    [{ actor: "fixed" }, {}, "local/fixed is a script, which takes no words"],
    [{}, { actor: "missing/provider" }, "no actor missing/provider"],
  ])("is refused where nobody can carry it out: %j %j", async (params, definition, why) => {
    await using server = await openThinking([]);
    const document = "name: fixed\ntype: script\ndescription: x\nscript: { steps: [] }\n";
    await server.client.call("_cleveragents/registry/actor/add", { document });
    const refused = create(server, { ...definition, steps: [{ type: "prompt", action: "Do it", params }] });
    await expect(refused).rejects.toMatchObject({
      reason: "NOT_AVAILABLE",
      message: expect.stringContaining(why),
    });
    const { plans } = await server.client.call("_cleveragents/plan/list", {});
    expect(plans).toEqual([]);
  });
});
