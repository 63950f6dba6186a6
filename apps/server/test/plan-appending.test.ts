import type { Plan } from "@cleveragents/domain";
import { atRest, logOf, seen } from "@cleveragents/testing";
import { expect, test } from "vitest";
import type { Altered } from "./altered-server.ts";
import { openLight } from "./light-workspace.ts";

const CORRECT = "_cleveragents/plan/correct";
const FIRST = "  steps:\n    - write: { path: first.txt, content: x }\n";

/** A product with an action that writes one file, the way that work is added here, and what a plan is stored as. */
async function opened() {
  const server = await openLight();
  await server.client.call("_cleveragents/registry/action/add", {
    document:
      'name: write\ndescription: x\ndefinition_of_done: x\narguments: [{ name: path, required: true }]\nscript:\n  steps:\n    - write: { path: "{{ args.path }}", content: "x" }\n',
  });
  const append = (plan_id: string, path: string, more: object = {}) =>
    server.client.call(CORRECT, {
      plan_id,
      mode: "append",
      guidance: `also ${path}`,
      action_name: "write",
      arguments: { path },
      ...more,
    });
  return Object.assign(server, { append });
}

async function stored({ machine }: Altered, planId: string): Promise<Plan> {
  const row = await machine.adapters.store.load(planId);
  if (row === undefined) throw new Error(`there is no plan ${planId}`);
  return row.document as unknown as Plan; // the document of a plan's task
}

test("what was offered is withdrawn, each addition is a plan of its own, and all of it is offered together", async () => {
  await using server = await opened();
  const { client } = server;
  const planId = await server.plan(FIRST);
  const offered = await atRest(client, planId);
  await server.append(planId, "second.txt");
  await seen(client, planId, "plan.appended");
  await atRest(client, planId);
  await server.append(planId, "third.txt");
  const after = await atRest(client, planId);
  expect(after).toMatchObject({
    attempt: 3,
    waiting_for: { kind: "apply" },
    children: [
      { name: "append_1", merged: true },
      { name: "append_2", merged: true },
    ],
  });
  expect(after.digest).not.toBe(offered.digest);
  // Offered, withdrawn, offered, withdrawn, offered.
  const shown = (await logOf(client, planId)).filter(
    ({ result }) => "artifactUpdate" in result && result.artifactUpdate.artifact.artifactId === "changeset",
  );
  expect(shown).toHaveLength(5);
  for (const [at, path] of ["second.txt", "third.txt"].entries())
    expect((await stored(server, after.children?.[at]?.plan_id ?? "")).guidance).toEqual([`also ${path}`]);
  await expect(
    client.call("_cleveragents/plan/apply", { plan_id: planId, digest: offered.digest ?? null }),
  ).rejects.toMatchObject({ reason: "DIGEST_MISMATCH" });
  await client.call("_cleveragents/plan/apply", { plan_id: planId, digest: after.digest ?? null });
  expect([...server.disk.project.keys()].sort()).toEqual(["first.txt", "second.txt", "third.txt"]);
});

test("a plan that is held back goes on with what is added, and is free where that was missing", async () => {
  await using server = await opened();
  await server.client.call("_cleveragents/registry/project/update", {
    document: JSON.stringify({
      name: "local/demo",
      path: server.repository.root,
      invariants: [{ text: "There is a second one", command: "test -e second.txt" }],
    }),
  });
  const planId = await server.plan(FIRST);
  expect(await atRest(server.client, planId)).toMatchObject({ state: "constrained" });
  await server.append(planId, "second.txt");
  const after = await atRest(server.client, planId);
  expect(after).toMatchObject({ state: "complete", waiting_for: { kind: "apply" } });
  expect(after).not.toHaveProperty("error");
});

test("a question stays open while work is added behind it, and the work is done once it is answered", async () => {
  await using server = await opened();
  const planId = await server.plan("  steps:\n    - ask: { question: Which? }\n");
  const asked = await atRest(server.client, planId);
  await server.append(planId, "second.txt");
  const still = await atRest(server.client, planId);
  expect(still).toMatchObject({
    attempt: 2,
    waiting_for: { kind: "question", prompt: asked.waiting_for?.prompt },
  });
  expect(still.children ?? []).toEqual([]);
  await server.client.call("_cleveragents/plan/approve", { plan_id: planId, text: "this one" });
  expect(await atRest(server.client, planId)).toMatchObject({
    waiting_for: { kind: "apply" },
    children: [{ name: "append_1", merged: true }],
  });
});

test("work that is added before a plan has begun is done behind all its steps", async () => {
  await using server = await opened();
  const planId = await server.plan(FIRST, "manual");
  await atRest(server.client, planId);
  await server.client.call("_cleveragents/plan/execute", { plan_id: planId });
  const waits = await atRest(server.client, planId);
  expect(waits).toMatchObject({ phase: "strategize" });
  await server.append(planId, "second.txt");
  for (let turns = 0; turns < 6; turns++) {
    if ((await atRest(server.client, planId)).waiting_for?.kind === "apply") break;
    await server.client.call("_cleveragents/plan/approve", { plan_id: planId });
  }
  expect(await atRest(server.client, planId)).toMatchObject({
    waiting_for: { kind: "apply" },
    steps: [{ index: 0 }, { index: 1 }],
    children: [{ name: "append_1", step: 1, merged: true }],
  });
});

test("nothing is added to a decision that was superseded, nor while the changes are being written", async () => {
  await using server = await opened();
  const { client } = server;
  const planId = await server.plan(
    `  decisions:\n    - id: which\n      question: Which?\n      choose: [{ choice: one }]\n${FIRST}`,
  );
  await atRest(client, planId);
  const { decision_id } = await client.call("_cleveragents/plan/explain", {
    plan_id: planId,
    decision_id: "which",
  });
  await client.call(CORRECT, { plan_id: planId, decision_id, guidance: "again" });
  await atRest(client, planId);
  await expect(server.append(planId, "second.txt", { decision_id })).rejects.toMatchObject({
    reason: "INVALID_STATE",
    message: expect.stringContaining("superseded"),
  });
  const { promise: written, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: begun, resolve: began } = Promise.withResolvers<void>();
  const apply = server.disk.workspace.apply;
  server.disk.workspace.apply = async (...args) => {
    began();
    await written;
    return await apply(...args);
  };
  const applied = client.call("_cleveragents/plan/apply", { plan_id: planId });
  await begun;
  await expect(server.append(planId, "second.txt")).rejects.toMatchObject({
    message: expect.stringContaining("being applied"),
  });
  goOn();
  expect(await applied).toMatchObject({ state: "applied" });
});
