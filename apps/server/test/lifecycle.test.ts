import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ResultOf } from "@cleveragents/protocol";
import {
  atRest,
  BINARY,
  eventOf,
  inProcess,
  logOf,
  openWorld,
  PROJECT_FILES,
  sha256,
  toGate,
  treeOf,
  use,
  type World,
} from "@cleveragents/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openServer } from "./in-memory-server.ts";

type FileChange = ResultOf<"_cleveragents/plan/diff">["files"][number];

describe("a plan that edits, creates, deletes, renames, changes a mode, writes a binary and runs the project's test", () => {
  let world: World;
  let status: Awaited<ReturnType<typeof toGate>>;
  let before: { tree: Readonly<Record<string, string>>; state: Readonly<Record<string, string>> };

  beforeAll(async () => {
    world = await openWorld(inProcess, openServer);
    const { repository } = world;
    // What a user has going on meanwhile: something staged, something changed, something new, something stashed.
    await repository.write("README.md", "# Demo\n\nStashed.\n");
    await repository.git("stash");
    await repository.write("README.md", "# Demo\n\nStaged.\n");
    await repository.git("add", "README.md");
    await repository.write("README.md", "# Demo\n\nNot even staged.\n");
    await repository.write("notes.txt", "mine\n");
    before = { tree: await repository.tree(), state: await repository.state() };
    status = await toGate(world, "full-edit", { arguments: { who: "Ada", times: 3, loud: true } });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test("every step has been done, the test's answer included", () => {
    expect(status.steps.map(({ status }) => status)).toEqual(Array(11).fill("done"));
    expect(status.steps.at(-1)?.detail).toBe("The check said checked\n");
    expect(status).toMatchObject({
      phase: "execute",
      state: "complete",
      waiting_for: { kind: "apply", digest: status.digest },
    });
    expect(status.progress).toEqual({ total_steps: 11, completed_steps: 11, current_step: null });
  });

  test("the command's output is an artifact", async () => {
    const { artifacts = [] } = await world.client.call("GetTask", { id: status.plan_id });
    const output = artifacts.find(({ artifactId }) => artifactId === "step-9-output");
    expect(output?.parts.map(({ text }) => text).join("")).toBe("checked\n");
  });

  test("the diff shows all of it", async () => {
    const { files, digest } = await world.client.call("_cleveragents/plan/diff", { plan_id: status.plan_id });
    expect(digest).toBe(status.digest);
    const shown = files.map(({ path, status, change, previous_path, binary }) => [
      path,
      status,
      change,
      ...(previous_path === undefined ? [] : [previous_path]),
      ...(binary ? ["binary"] : []),
    ]);
    expect(shown).toEqual([
      ["LOUD", "added", "+1 -0"],
      ["assets/logo.bin", "added", `0 -> ${Buffer.from(BINARY, "base64").length} bytes`, "binary"],
      ["bin/greet.sh", "modified", "mode 100644 -> 100755"],
      ["docs/new-name.md", "renamed", "renamed", "docs/old-name.md"],
      ["obsolete.txt", "deleted", "+0 -1"],
      ["src/farewell.txt", "modified", "+1 -1"],
      ["src/greeting.txt", "modified", "+1 -1"],
      ["src/new.txt", "added", "+2 -0"],
    ]);
    expect(status.changes).toEqual({
      files: 8,
      created: 3,
      modified: 3,
      deleted: 1,
      renamed: 1,
      mode_changes: 1,
      binary: 1,
      insertions: 5,
      deletions: 3,
    });
    expect(files.find(({ path }) => path === "src/new.txt")).toMatchObject({
      new_sha256: sha256("times: 3\ntone: loud\n"),
    } satisfies Partial<FileChange>);
  });

  test("until it is applied the user's tree, index, HEAD, stash, status and configuration are untouched", async () => {
    expect(await world.repository.tree()).toEqual(before.tree);
    expect(await world.repository.state()).toEqual(before.state);
  });

  test("after it is applied the tree is exactly the diff, and the rest of the repository is as it was", async () => {
    const { client, repository } = world;
    const { patch = "", digest } = await client.call("_cleveragents/plan/diff", { plan_id: status.plan_id });
    const byGit = await treeAfterGitApply(world, patch);
    expect(await client.call("_cleveragents/plan/apply", { plan_id: status.plan_id, digest })).toMatchObject({
      state: "applied",
    });
    expect(await repository.tree()).toEqual(byGit);
    expect(String(await repository.read("src/greeting.txt"))).toBe("Hello, Ada!\n");
    expect(await repository.read("assets/logo.bin")).toEqual(Buffer.from(BINARY, "base64"));
    expect(String(await repository.read("docs/new-name.md"))).toBe(PROJECT_FILES["docs/old-name.md"]);
    const { status: _, ...rest } = before.state;
    expect(await repository.state()).toMatchObject(rest);
  });
});

/** What git makes of a patch in a copy of the working tree. */
async function treeAfterGitApply(
  { repository }: World,
  patch: string,
): Promise<Readonly<Record<string, string>>> {
  const copy = await mkdtemp(join(tmpdir(), "cleveragents-copy-"));
  try {
    await cp(repository.root, copy, { recursive: true });
    await repository.write(".git/the.patch", patch);
    await repository.git("-C", copy, "apply", join(repository.root, ".git/the.patch"));
    return await treeOf(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
    await repository.remove(".git/the.patch");
  }
}

describe("how far a plan goes by itself", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(inProcess, openServer, { project: "plain" });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.each([
    ["manual", "strategize/queued", "start"],
    ["supervised", "strategize/complete", "start"],
    ["trusted", "execute/complete", "apply"],
    ["ci", "apply/applied", undefined],
  ])("with the profile %s: to %s", async (automation_profile, stage, kind) => {
    const status = await toGate(world, "touch", { automation_profile });
    expect(`${status.phase}/${status.state}`).toBe(stage);
    expect(status.waiting_for?.kind).toBe(kind);
    expect(Object.keys(await world.repository.tree()).includes("touched.txt")).toBe(
      automation_profile === "ci",
    );
  });

  test("a manual plan waits in front of every phase", async () => {
    const { client } = world;
    const { plan_id } = await use(world, "touch", { arguments: { path: "step-by-step.txt" } });
    const stages: string[] = [];
    for (const answer of ["execute", "execute", "apply"] as const) {
      const { phase, state } = await atRest(client, plan_id);
      stages.push(`${phase}/${state}`);
      await client.call(`_cleveragents/plan/${answer}`, { plan_id });
    }
    expect(stages).toEqual(["strategize/queued", "strategize/complete", "execute/complete"]);
    expect(String(await world.repository.read("step-by-step.txt"))).toBe("touched\n");
  });

  test("a cautious one executes where it is confident, and asks where it is not", async () => {
    const automation_profile = "cautious";
    expect(await toGate(world, "unsure", { automation_profile })).toMatchObject({
      phase: "strategize",
      state: "complete",
      waiting_for: { kind: "start" },
    });
    expect(await toGate(world, "ask", { automation_profile })).toMatchObject({
      phase: "execute",
      waiting_for: { kind: "question" },
    });
  });

  test("the caller's profile stands over the action's, that over the project's, that over the product's", async () => {
    const { client, repository } = world;
    const document =
      "name: with-profile\ndescription: x\ndefinition_of_done: x\nautomation_profile: review\nscript: { steps: [] }\n";
    await client.call("_cleveragents/registry/action/add", { document });
    await client.call("_cleveragents/registry/project/add", {
      name: "with-profile",
      path: repository.root,
      automation_profile: "manual",
    });
    const automationOf = async (params: object, action_name: string) =>
      (await client.call("_cleveragents/plan/use", { action_name, project: "demo", ...params })).automation;
    expect(
      await automationOf({ automation_profile: "manual", project: "with-profile" }, "with-profile"),
    ).toMatchObject({ profile: "manual", source: "plan" });
    expect(await automationOf({ project: "with-profile" }, "with-profile")).toMatchObject({
      profile: "review",
      source: "action",
    });
    expect(await automationOf({ project: "with-profile" }, "idle")).toMatchObject({
      profile: "manual",
      source: "project",
    });
    expect(await automationOf({}, "idle")).toMatchObject({ profile: "supervised", source: "global" });
  });

  test("a plan that changes nothing is finished, with an empty diff", async () => {
    const { client } = world;
    const status = await toGate(world, "idle");
    expect(status).toMatchObject({
      phase: "apply",
      state: "applied",
      task_state: "TASK_STATE_COMPLETED",
      changes: { files: 0 },
    });
    expect(await client.call("_cleveragents/plan/diff", { plan_id: status.plan_id })).toMatchObject({
      files: [],
      patch: "",
      diff_summary: { files_changed: 0 },
    });
    expect(await client.call("_cleveragents/plan/apply", { plan_id: status.plan_id })).toMatchObject({
      already: true,
    });
  });
});

describe("applying", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(inProcess, openServer, { project: "plain" });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test("another changeset than the one that was shown is refused; twice at once applies once, and both are told", async () => {
    const { client, repository } = world;
    const { plan_id, digest = "", waiting_for } = await toGate(world, "touch");
    const other = `sha256:${"1".repeat(64)}`;
    await expect(client.call("_cleveragents/plan/apply", { plan_id, digest: other })).rejects.toMatchObject({
      code: -32004,
      reason: "DIGEST_MISMATCH",
      data: { plan_id, expected: other, found: digest },
    });
    expect(Object.keys(await repository.tree())).not.toContain("touched.txt");
    expect((await client.call("_cleveragents/plan/status", { plan_id })).waiting_for).toEqual(waiting_for);

    const [one, two] = await Promise.all(
      [1, 2].map(() => client.call("_cleveragents/plan/apply", { plan_id, digest })),
    );
    expect(one).toMatchObject({ state: "applied", digest });
    expect(two).toEqual(one);
    const applied = (await logOf(client, plan_id)).filter((item) => eventOf(item)?.event === "plan.applied");
    expect(applied).toHaveLength(1);
  });

  test("to files that changed meanwhile is refused, however it is asked for; they stay as they are, and once they are back it works", async () => {
    const { client, repository } = world;
    const path = "src/greeting.txt";
    const script = `script: { steps: [{ edit: { path: ${path}, find: world, replace: moon } }, { write: { path: beside.txt, content: x } }] }`;
    await client.call("_cleveragents/registry/action/add", {
      document: `name: drift\ndescription: x\ndefinition_of_done: x\n${script}\n`,
    });
    const { plan_id } = await client.call("_cleveragents/plan/use", {
      action_name: "drift",
      project: "demo",
      automation_profile: "trusted",
    });
    const { digest = "" } = await atRest(client, plan_id);
    const mine = Buffer.from([0xff, 0, 0x0d, 0x0a]);
    await repository.write(path, mine);
    const tree = await repository.tree();

    const files = [{ path, expected: sha256(PROJECT_FILES[path]), found: sha256(mine) }];
    const refusal = {
      code: -32004,
      reason: "PLAN_BASE_DRIFT",
      hint: expect.any(String),
      data: { plan_id, files },
    };
    await expect(client.call("_cleveragents/plan/apply", { plan_id, digest })).rejects.toMatchObject(refusal);
    const message = {
      messageId: "apply",
      taskId: plan_id,
      role: "ROLE_USER" as const,
      parts: [{ text: "yes" }],
    };
    expect(await client.call("SendMessage", { message })).toMatchObject({
      task: { status: { state: "TASK_STATE_INPUT_REQUIRED" } },
    });
    const asked = await client.call("_cleveragents/plan/status", { plan_id });
    expect(asked).toMatchObject({
      phase: "execute",
      state: "complete",
      error: { reason: "PLAN_BASE_DRIFT", message: expect.stringContaining(path) },
    });
    expect(await repository.tree()).toEqual(tree);

    await repository.write(path, PROJECT_FILES[path]);
    expect(await client.call("_cleveragents/plan/apply", { plan_id, digest })).toMatchObject({
      state: "applied",
    });
    expect(String(await repository.read(path))).toBe("Hello, moon!\n");
    expect(String(await repository.read("beside.txt"))).toBe("x");
    expect(await client.call("_cleveragents/plan/status", { plan_id })).not.toHaveProperty("error");
  });
});
