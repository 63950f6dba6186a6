import { cpSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@cleveragents/domain";
import { InlineToolExecutor } from "@cleveragents/infrastructure/skills";
import { atRest, logOf } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import { type Altered, openAltered } from "./altered-server.ts";

const DEPLOY = join(import.meta.dirname, "../../../examples/skills/deploy-to-staging");

/** A server whose project has the skill of the examples, and another one. */
async function withSkills(alter?: Parameters<typeof openAltered>[0]): Promise<Altered> {
  const server = await openAltered(alter);
  cpSync(DEPLOY, join(server.repository.root, ".agents/skills/deploy-to-staging"), { recursive: true });
  await server.repository.write(
    ".agents/skills/half/SKILL.md",
    "---\nname: half\ndescription: d\n---\n## Steps\n### 1. Ask Ada\nHer {{ name }} is hers.\n### 2. Note it\n```bash\nscripts/note.sh\n```\n",
  );
  await server.repository.write(
    ".agents/skills/half/scripts/note.sh",
    '#!/bin/sh\necho "$SKILL_PARAM_WHO" > note.txt\n',
  );
  await server.repository.write(
    ".agents/skills/text/SKILL.md",
    "---\nname: text\ndescription: d\n---\nBe kind.\n",
  );
  return server;
}

const create = async ({ client }: Altered, ...steps: object[]) => {
  const { plan_id } = await client.call("_cleveragents/plan/create", {
    plan_definition: { name: "x", steps: steps as never },
    project: "demo",
    automation_profile: "trusted",
  });
  return { plan_id, status: await atRest(client, plan_id) };
};
const skill = (action: string, more: object = {}) => ({ type: "skill", action, ...more });

/** Consents to what a plan has asked for in vain, and lets it go on. */
async function trust(server: Altered, plan_id: string, name: string) {
  await server.client.call("_cleveragents/trust/add", { kind: "skill", name });
  await server.client.call("_cleveragents/plan/execute", { plan_id });
  return atRest(server.client, plan_id);
}

describe("a plan of a skill's steps", () => {
  test("asks for consent, runs the scripts in its copy one by one, and is held to when the skill is done", async () => {
    await using server = await withSkills();
    const { plan_id, status } = await create(server, skill("deploy-to-staging", { id: "deploy" }), {
      type: "command",
      action: "test -n '{{ results.deploy.exitCode }}'",
    });
    expect(status).toMatchObject({
      task_state: "TASK_STATE_INPUT_REQUIRED",
      error: {
        reason: "TRUST_REQUIRED",
        message: expect.stringContaining("agents trust add skill local/deploy-to-staging --digest sha256:"),
      },
      waiting_for: { kind: "retry" },
    });
    const done = await trust(server, plan_id, "deploy-to-staging");
    expect(done).toMatchObject({
      state: "complete",
      waiting_for: { kind: "apply" },
      steps: [
        { label: "deploy-to-staging 1. Run tests: scripts/run-tests.sh", status: "done" },
        { label: "deploy-to-staging 2. Build artifacts: scripts/build.sh", status: "done" },
        { label: "deploy-to-staging 3. Deploy: scripts/deploy.sh --env staging", status: "done" },
        { status: "done" },
      ],
    });
    const checks = done.validations?.filter(({ kind }) => kind === "definition_of_done");
    expect(checks).toMatchObject([
      { passed: true },
      { text: expect.stringContaining("accessible") },
      { passed: true },
    ]);
    expect(checks?.[1]?.passed).toBeNull();
    const { files } = await server.client.call("_cleveragents/plan/diff", { plan_id });
    expect(files.map(({ path }) => path)).toEqual([
      "build/files.txt",
      "deploy/staging/files.txt",
      "deploy/staging/health.json",
      "deploy/staging/schema.json",
    ]);
    const output = JSON.stringify(await logOf(server.client, plan_id));
    expect(output).toContain("deployed to staging");
  });

  test("is not applied while a script says that it is not done", async () => {
    await using server = await withSkills();
    await server.repository.write("checks/fails.sh", "test ! -e build/files.txt\n");
    const { plan_id } = await create(server, skill("deploy-to-staging"));
    const held = await trust(server, plan_id, "deploy-to-staging");
    expect(held).toMatchObject({
      state: "constrained",
      error: {
        reason: "VALIDATION_FAILED",
        message: expect.stringContaining('it is not done ("All tests pass'),
      },
    });
  });

  test("asks a human for a step that is text alone, and hands its parameters to scripts", async () => {
    await using server = await withSkills();
    const { plan_id, status } = await create(
      server,
      skill("local/half", { id: "h", params: { who: "Ada" } }),
    );
    expect(status).toMatchObject({
      waiting_for: {
        kind: "question",
        prompt: expect.stringContaining(
          "half, step 1: Ask Ada\nHer { { name } } is hers.\nThis step has no script.",
        ),
        options: [{ id: "done" }, { id: "not-done" }],
      },
    });
    await server.client.call("_cleveragents/plan/approve", { plan_id, option: "done" });
    await atRest(server.client, plan_id);
    const done = await trust(server, plan_id, "half");
    expect(done.steps).toMatchObject([{ status: "done" }, { status: "skipped" }, { status: "done" }]);
    const { patch } = await server.client.call("_cleveragents/plan/diff", { plan_id });
    expect(patch).toContain("+Ada\n");
  });

  test("fails where a human says that a step cannot be done", async () => {
    await using server = await withSkills();
    const { plan_id } = await create(server, skill("half"));
    await server.client.call("_cleveragents/plan/approve", { plan_id, option: "not-done" });
    expect(await atRest(server.client, plan_id)).toMatchObject({
      error: { reason: "SCRIPT_FAILED", message: expect.stringContaining("half, step 1 was not done") },
    });
  });

  test("is not made of a skill that is not there, that is text alone, or whose slots are not filled", async () => {
    await using server = await withSkills();
    await server.repository.write(
      ".agents/skills/half/cleveragents.yaml",
      "resource_slots: [{ name: config, description: what to read }]\n",
    );
    const refused = async (step: object) => create(server, step).catch((error: unknown) => error);
    expect(await refused(skill("nope"))).toMatchObject({
      reason: "NOT_AVAILABLE",
      message: expect.stringContaining("there is deploy-to-staging, half, text"),
    });
    expect(await refused(skill("text"))).toMatchObject({
      reason: "NOT_AVAILABLE",
      message: expect.stringContaining("nobody who follows its instructions"),
    });
    expect(await refused(skill("half"))).toMatchObject({
      reason: "DOCUMENT_INVALID",
      violations: [{ description: expect.stringContaining("resources.config is needed: what to read") }],
    });
    expect(await refused({ type: "tool", action: "skill/activate", params: {} })).toMatchObject({
      reason: "DOCUMENT_INVALID",
    });
  });

  test("carries out a step by a function of the process, where one is registered, past the guards", async () => {
    const executor = new InlineToolExecutor();
    const [one, two] = ["Look", "Change"].map((title, n) => ({
      index: n + 1,
      title,
      instructions: "",
      commands: [],
    }));
    if (one === undefined || two === undefined) throw new Error("two steps");
    const run = (_step: unknown, _context: unknown, args: JsonObject) => ({ who: args["params"] ?? null });
    executor.register({ skill: "text", step: one, run, readOnly: true });
    executor.register({ skill: "text", step: two, run });
    await using server = await withSkills(({ toolProviders }) => ({
      toolProviders: [...toolProviders, executor],
    }));
    await server.repository.write(
      ".agents/skills/text/SKILL.md",
      "---\nname: text\ndescription: d\n---\n## Steps\n1. Look\n2. Change\n",
    );
    const { status } = await create(server, skill("text", { params: { who: "Ada" } }));
    // What happens in this process cannot be undone, and this profile lets no such thing through.
    expect(status).toMatchObject({
      state: "rejected",
      error: { message: expect.stringContaining("text 2. Change cannot be undone") },
    });
    await server.repository.write(
      ".agents/skills/text/SKILL.md",
      "---\nname: text\ndescription: d\n---\n## Steps\n1. Look\n",
    );
    await server.client.call("_cleveragents/registry/skill/refresh", {});
    const looked = await create(server, skill("text"));
    expect(looked.status).toMatchObject({ steps: [{ label: "text 1. Look", status: "done" }] });
  });
});

test("an action's script loads a skill and calls its scripts as any other tool", async () => {
  await using server = await withSkills();
  const plan_id = await server.plan(
    [
      "  steps:",
      "    - { name: skill, call: { tool: skill/activate, arguments: { name: half } } }",
      "    - call: { tool: skill/run_script, label: note, arguments: { name: half, script: scripts/note.sh, params: { who: '{{ results.skill.version }}' } } }",
    ].join("\n"),
  );
  await atRest(server.client, plan_id);
  const done = await trust(server, plan_id, "half");
  expect(done.steps).toMatchObject([{ label: "call skill/activate" }, { label: "note", status: "done" }]);
  const { patch } = await server.client.call("_cleveragents/plan/diff", { plan_id });
  expect(patch).toContain("+1.0.0\n");
});
