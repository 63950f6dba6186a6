import { atRest } from "@cleveragents/testing";
import { expect, test } from "vitest";
import { openAltered } from "./altered-server.ts";

test("what became of earlier plans of an action decides whether the next one goes on by itself, and it is told why", async () => {
  await using server = await openAltered();
  const { client } = server;
  const document = `name: note\ndescription: x\ndefinition_of_done: x\nscript:\n  steps:\n    - write: { path: note.txt, content: "{{ args.text }}" }\narguments: [{ name: text, required: true }]\n`;
  await client.call("_cleveragents/registry/action/add", { document });
  let texts = 0;
  const next = async () => {
    const { plan_id } = await client.call("_cleveragents/plan/use", {
      action_name: "note",
      project: "demo",
      automation_profile: "cautious",
      arguments: { text: `${++texts}` },
    });
    return { plan_id, status: await atRest(client, plan_id) };
  };

  const first = await next();
  expect(first.status).toMatchObject({ phase: "execute", waiting_for: { kind: "apply" } });
  await client.call("_cleveragents/plan/reject", { plan_id: first.plan_id });
  await atRest(client, first.plan_id);

  const second = await next();
  expect(second.status).toMatchObject({
    phase: "strategize",
    state: "complete",
    waiting_for: { kind: "start" },
    confidence: { gate: "create_tool", threshold: 0.7, passed: false, value: 0.667 },
  });
  expect(second.status.confidence?.factors).toContainEqual({
    name: "past_success",
    weight: 0.3,
    value: 0.333,
    why: "0 of 1 earlier plans of this action were applied",
  });

  await client.call("_cleveragents/plan/execute", { plan_id: second.plan_id });
  await atRest(client, second.plan_id);
  await client.call("_cleveragents/plan/apply", { plan_id: second.plan_id });
  const third = await next();
  // As many successes as failures, and a file that is known by now.
  expect(third.status).toMatchObject({ phase: "execute", waiting_for: { kind: "apply" } });
  expect(third.status.confidence?.factors).toContainEqual(
    expect.objectContaining({ name: "familiarity", value: 0.667 }),
  );
});
