import { atRest, eventOf, logOf } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import { type Altered, openAltered } from "./altered-server.ts";
import { openLight } from "./light-workspace.ts";

const WRITE = "  steps: [{ write: { path: notes.txt, content: x } }]";

/** A server whose project has this validation attached, under the name `local/check`. */
async function checked(body: string, alter?: Parameters<typeof openLight>[0]) {
  const server = await openLight(alter);
  await register(server, "check", body);
  await server.client.call("_cleveragents/registry/validation/attach", {
    validation: "check",
    project: "demo",
  });
  return server;
}

const register = ({ client }: Altered, name: string, body: string) =>
  client.call("_cleveragents/registry/validation/add", {
    document: `name: ${name}\ndescription: It is as it should be\n${body}\n`,
  });

async function eventsOf({ client }: Altered, planId: string, pattern: RegExp) {
  return (await logOf(client, planId)).map(eventOf).filter((event) => pattern.test(event?.event ?? ""));
}

const named = (validations: readonly { readonly kind: string }[] | undefined) =>
  (validations ?? []).filter(({ kind }) => kind === "validation");

describe("a plan of which a required validation fails", () => {
  test("is constrained, shows why, and is not applied until it holds", async () => {
    await using server = await checked("command: 'echo looking; test -f ready.txt'");
    const { client, disk } = server;
    const plan_id = await server.plan(WRITE);
    const status = await atRest(client, plan_id);
    expect(status).toMatchObject({
      phase: "execute",
      state: "constrained",
      task_state: "TASK_STATE_INPUT_REQUIRED",
      waiting_for: { kind: "retry", options: [{ id: "retry" }, { id: "give-up" }, { id: "revise" }] },
      error: { reason: "VALIDATION_FAILED", message: expect.stringContaining("local/check failed") },
    });
    expect(named(status.validations)).toMatchObject([
      {
        validation: "local/check",
        mode: "required",
        passed: false,
        attempt: 1,
        attachment_scope: "project",
        attachment_scope_target: "local/demo",
        data: { reason: "COMMAND_FAILED", output: "looking" },
      },
    ]);
    await expect(client.call("_cleveragents/plan/apply", { plan_id })).rejects.toMatchObject({
      code: -32004,
      reason: "VALIDATION_FAILED",
      hint: expect.stringContaining(`agents plan revert ${plan_id}`),
      data: { checks: [{ name: "local/check" }] },
    });
    expect((await client.call("_cleveragents/plan/diff", { plan_id })).files).toHaveLength(1);
    expect(await eventsOf(server, plan_id, /^validation|constrained/)).toMatchObject([
      { event: "validation.started", name: "local/check" },
      { event: "validation.failed", passed: false },
      { event: "plan.constrained", state: "constrained" },
    ]);
    // What it waits for is outside of the plan: the same again fails, and going on without it is not offered.
    await client.call("_cleveragents/plan/execute", { plan_id });
    expect(await atRest(client, plan_id)).toMatchObject({ state: "constrained", attempt: 2 });
    await client.call("_cleveragents/plan/approve", { plan_id, option: "give-up" });
    expect(await atRest(client, plan_id)).toMatchObject({ task_state: "TASK_STATE_FAILED" });
    expect(disk.project.has("notes.txt")).toBe(false);
  });

  test("decides anew by itself where the profile lets it and its script can", async () => {
    await using server = await checked("check: 'changes.all(c, c.path.startsWith(\"docs/\"))'");
    const plan_id = await server.plan(
      "  steps: [{ write: { path: \"{{ size(guidance) == 0 ? 'notes.txt' : 'docs/notes.txt' }}\", content: x } }]",
      "auto",
    );
    expect(await atRest(server.client, plan_id)).toMatchObject({
      state: "complete",
      attempt: 2,
      reversions: 1,
      waiting_for: { kind: "apply" },
    });
    expect(await eventsOf(server, plan_id, /^validation|reverted/)).toMatchObject([
      { event: "validation.failed" },
      { event: "plan.reverted", by: "profile", reason: expect.stringContaining("local/check failed") },
      { event: "validation.passed" },
    ]);
    const same = await server.plan(WRITE, "auto");
    expect(await atRest(server.client, same)).toMatchObject({ state: "constrained", attempt: 1 });
  });

  test("is repaired where the profile lets it, else when somebody chooses that; what the checks leave behind is gone", async () => {
    await using server = await checked(
      "command: 'touch left-behind; test -f ready.txt'\nfix: 'touch ready.txt'",
    );
    const { client } = server;
    const byItself = await server.plan(WRITE, "auto");
    expect(await atRest(client, byItself)).toMatchObject({ state: "complete", attempt: 1 });
    const { files } = await client.call("_cleveragents/plan/diff", { plan_id: byItself });
    expect(files.map(({ path }) => path)).toEqual(["notes.txt", "ready.txt"]);
    expect(await eventsOf(server, byItself, /^validation|^repair/)).toMatchObject([
      { event: "validation.started" },
      { event: "validation.failed" },
      { event: "repair.started" },
      { event: "repair.ended" },
      { event: "validation.started" },
      { event: "validation.passed" },
    ]);
    const asked = await server.plan(WRITE, "review");
    expect((await atRest(client, asked)).waiting_for?.options.map(({ id }) => id)).toContain("repair");
    await client.call("_cleveragents/plan/approve", { plan_id: asked, option: "repair" });
    expect(await atRest(client, asked)).toMatchObject({ state: "complete", waiting_for: { kind: "apply" } });
  });
});

describe("the checks of a plan", () => {
  test("are run once each, in order of what they are attached to, mode and name; what is informational is only told", async () => {
    await using server = await checked("mode: informational\ncommand: exit 3");
    const { client } = server;
    await register(server, "b", "check: 'true'");
    await register(
      server,
      "a",
      "wraps: builtin/read_file\ninput: { path: notes.txt }\ntransform: 'output.content == \"x\"'",
    );
    await client.call("_cleveragents/registry/action/add", {
      document: `name: checked\ndescription: x\nvalidations: [b, a, check]\ndefinition_of_done:\n  - it reads well\n  - { text: only notes, paths: { allow: ['*.txt'] } }\nscript:\n${WRITE}`,
    });
    const { plan_id } = await client.call("_cleveragents/plan/use", {
      action_name: "checked",
      automation_profile: "trusted",
      validations: ["b"],
    });
    const status = await atRest(client, plan_id);
    expect(status).toMatchObject({ state: "complete", waiting_for: { kind: "apply" } });
    expect(status.validations?.map(({ validation, passed, mode }) => [validation, passed, mode])).toEqual([
      ["local/check", false, "informational"],
      ["definition of done 1", null, "required"],
      ["definition of done 2", true, "required"],
      ["local/a", true, "required"],
      ["local/b", true, "required"],
    ]);
    expect((await eventsOf(server, plan_id, /^validation\.(?:passed|failed)/)).length).toBe(4);
    expect(await client.call("_cleveragents/plan/apply", { plan_id })).toMatchObject({ state: "applied" });
  });

  test("are those that there were when it was made", async () => {
    await using server = await checked("command: 'true'");
    const { client } = server;
    const plan_id = await server.plan(WRITE, "manual");
    await atRest(client, plan_id);
    await client.call("_cleveragents/registry/validation/add", {
      document: "name: check\ndescription: x\ncommand: 'false'\n",
      update: true,
    });
    await client.call("_cleveragents/plan/execute", { plan_id });
    await atRest(client, plan_id);
    await client.call("_cleveragents/plan/execute", { plan_id });
    expect(await atRest(client, plan_id)).toMatchObject({ state: "complete" });
  });

  test("are guarded and charged as every call, and one that is denied has not passed", async () => {
    await using server = await checked("command: touch somewhere");
    const { client } = server;
    await client.call("_cleveragents/profile/add", {
      document:
        "name: ruled\ndescription: x\nextends: trusted\nguards: { commands: { allow: [] } }\nbudget: { tool_calls: 5 }\n",
    });
    const plan_id = await server.plan(WRITE, "ruled");
    expect(await atRest(client, plan_id)).toMatchObject({
      waiting_for: { kind: "guard", details: { guard: "commands", check: expect.stringMatching(/^att_/) } },
      budget: { used: { tool_calls: 1 } },
    });
    await client.call("_cleveragents/plan/reject", { plan_id });
    expect(await atRest(client, plan_id)).toMatchObject({ state: "constrained" });
    await client.call("_cleveragents/plan/execute", { plan_id });
    await atRest(client, plan_id);
    await client.call("_cleveragents/plan/approve", { plan_id });
    expect(await atRest(client, plan_id)).toMatchObject({
      state: "complete",
      budget: { used: { tool_calls: 2 } },
    });
  });

  test("that were cut off are run again, from what the plan has left", async () => {
    let calls = 0;
    await using server = await checked("command: 'test ! -e half; touch half'", (tools) => ({
      list: () => tools.list(),
      async call(...args) {
        const done = await tools.call(...args);
        if (args[0] === "builtin/shell" && ++calls === 1) await new Promise<void>(() => undefined);
        return done;
      },
    }));
    const plan_id = await server.plan(WRITE);
    await expect.poll(() => calls, { timeout: 15_000 }).toBe(1);
    await server.killAndStart();
    expect(await atRest(server.client, plan_id)).toMatchObject({ state: "complete" });
    expect(calls).toBe(2);
    const { files } = await server.client.call("_cleveragents/plan/diff", { plan_id });
    expect(files.map(({ path }) => path)).toEqual(["notes.txt"]);
  });
});

describe("invariants", () => {
  test("are reconciled when it strategizes, are decisions under the root, and hold back what is against them", async () => {
    await using server = await openLight();
    const { client } = server;
    const invariant = (params: object) => client.call("_cleveragents/invariant/add", params as never);
    const { invariants } = await invariant({
      text: "Vendored code stays as it is",
      global: true,
      non_overridable: true,
      name: "vendor",
      paths: { deny: ["vendor"] },
    });
    const id = invariants[0]?.id ?? "";
    await invariant({ text: "Anything goes", projects: ["demo"], name: "vendor" });
    await client.call("_cleveragents/registry/action/add", {
      document: `name: held\ndescription: x\ndefinition_of_done: x\ninvariants: [Signatures stay, { text: Small, check: 'size(changes) < 5' }]\nscript:\n  steps: [{ write: { path: vendor/lib.txt, content: x } }]`,
    });
    const { plan_id } = await client.call("_cleveragents/plan/use", {
      action_name: "held",
      automation_profile: "trusted",
      invariants: ["Signatures stay."],
    });
    const status = await atRest(client, plan_id);
    expect(status).toMatchObject({
      state: "constrained",
      error: { reason: "INVARIANT_VIOLATED", message: expect.stringContaining(`${id} ("Vendored code`) },
    });
    expect(status.invariants?.map(({ text, scope, passed }) => [text, scope, passed])).toEqual([
      ["Vendored code stays as it is", "global", false],
      ["Signatures stay.", "plan", null],
      ["Small", "action", true],
    ]);
    const { tree } = await client.call("_cleveragents/plan/tree", { plan_id });
    const decided = tree[0]?.children.filter(({ type }) => type === "invariant_enforced") ?? [];
    expect(decided.map(({ chosen, alternatives }) => [chosen, alternatives.length])).toEqual([
      ["Vendored code stays as it is", 1],
      ["Signatures stay.", 1],
      ["Small", 0],
    ]);
    expect(await eventsOf(server, plan_id, /^invariant/)).toMatchObject([
      {
        event: "invariant.reconciled",
        overridden: [{ text: "Signatures stay" }, { text: "Anything goes", by: id }],
      },
      { event: "invariant.enforced" },
      { event: "invariant.violated", id, message: "may not change: vendor/lib.txt" },
    ]);
    await expect(client.call("_cleveragents/plan/apply", { plan_id })).rejects.toMatchObject({
      reason: "VALIDATION_FAILED",
      message: expect.stringContaining(id),
    });
  });

  test("hold for a part of the changes too", async () => {
    await using server = await openAltered();
    const { client } = server;
    await client.call("_cleveragents/registry/action/add", {
      document: `name: both\ndescription: x\ndefinition_of_done: x\ninvariants: [{ text: Code comes with notes, check: "!('code.txt' in paths) || 'notes.txt' in paths" }]\nscript:\n  steps: [{ write: { path: code.txt, content: x } }, { write: { path: notes.txt, content: x } }]`,
    });
    const { plan_id } = await client.call("_cleveragents/plan/use", {
      action_name: "both",
      automation_profile: "trusted",
    });
    await atRest(client, plan_id);
    const part = await client.call("_cleveragents/plan/diff", { plan_id, only: ["code.txt"] });
    const apply = (only: string[], digest: string) =>
      client.call("_cleveragents/plan/apply", { plan_id, only, digest });
    await expect(apply(["code.txt"], part.digest)).rejects.toMatchObject({ reason: "VALIDATION_FAILED" });
    const { digest } = await client.call("_cleveragents/plan/diff", { plan_id, only: ["notes.txt"] });
    expect(await apply(["notes.txt"], digest)).toMatchObject({ state: "applied" });
  });
});
