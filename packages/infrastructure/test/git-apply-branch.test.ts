import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "@cleveragents/application";
import { expect, test } from "vitest";
import { type Fixture, fixture, git, never, treeOf, write } from "./git-fixtures.ts";

const FILES = { "a.txt": "a\n".repeat(20), "b.txt": "b\n", "new.txt": "committed\n" };

function named(project: string): void {
  git(project, "config", "user.name", "Ada");
  git(project, "config", "user.email", "ada@localhost");
}

function committing(): Fixture {
  const it = fixture({ git: true, files: FILES });
  named(it.project);
  return it;
}

async function onto(
  it: Fixture,
  sandbox: Sandbox,
  branch: string,
  planId = "PLAN",
  only?: readonly string[],
) {
  const { digest, to } = await sandbox.compare();
  if (only === undefined) return await it.workspace.apply(sandbox, { planId, digest, toTree: to, branch });
  const part = await it.workspace.select(sandbox, { planId, digest, only });
  const target = { projectRoot: sandbox.projectRoot, baseTree: part.from };
  return await it.workspace.apply(target, { planId, digest: part.digest, toTree: part.to, branch });
}

const refused = (words: string) => ({ reason: "BRANCH_REFUSED", message: expect.stringContaining(words) });

test("a branch that was left by an apply takes another part of the same plan, not the same change of another one", async () => {
  await using it = committing();
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "plan\n", "b.txt": "plan\n" });
  const first = await onto(it, sandbox, "ours", "PLAN", ["a.txt"]);
  const second = await onto(it, sandbox, "ours", "PLAN", ["b.txt"]);
  expect(git(it.project, "rev-parse", "ours", "ours^").trim().split("\n")).toEqual([
    second.commit,
    first.commit,
  ]);
  const other = await it.create("OTHER");
  write(other.root, { "b.txt": "plan\n" });
  await expect(onto(it, other, "ours", "OTHER")).rejects.toMatchObject(refused("b.txt"));
  expect(git(it.project, "rev-parse", "ours").trim()).toBe(second.commit);
});

test("a branch that the user has checked out since, and a name that there is no room for, are refused", async () => {
  await using it = committing();
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "plan\n" });
  await onto(it, sandbox, "ours/one");
  git(it.project, "worktree", "add", "-q", join(it.base, "elsewhere"), "ours/one");
  const other = await it.create("OTHER");
  write(other.root, { "b.txt": "plan\n" });
  await expect(onto(it, other, "ours/one", "OTHER")).rejects.toMatchObject(refused("checked out"));
  for (const branch of ["ours", "ours/one/more", "main/x"])
    await expect(onto(it, other, branch, "OTHER")).rejects.toMatchObject(refused("cannot be there beside"));
});

test("a branch that somebody makes while the commit is made stays as they have it", async () => {
  await using it = committing();
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "plan\n" });
  const { digest, to } = await sandbox.compare();
  const failPoint = (name: string) => {
    if (name === "workspace.apply.committed") git(it.project, "branch", "ours", "main");
  };
  const request = { planId: "PLAN", digest, toTree: to, branch: "ours" };
  await expect(it.again({ failPoint }).apply(sandbox, request)).rejects.toMatchObject({
    reason: "GIT_FAILED",
  });
  expect(git(it.project, "rev-parse", "ours")).toBe(git(it.project, "rev-parse", "main"));
});

test("an apply to a branch that has ended is not done again, whatever the user has made of the branch", async () => {
  await using it = committing();
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "plan\n" });
  const { commit } = await onto(it, sandbox, "ours");
  git(it.project, "branch", "-q", "-D", "ours");
  expect(await onto(it, sandbox, "ours")).toMatchObject({ commit, written: 1 });
  expect(git(it.project, "branch", "--list", "ours")).toBe("");
});

test("a link that leads out goes onto no branch, and a rename onto none whose commit has something there", async () => {
  await using it = committing();
  rmSync(join(it.project, "new.txt"));
  const sandbox = await it.create();
  renameSync(join(sandbox.root, "a.txt"), join(sandbox.root, "new.txt"));
  await expect(onto(it, sandbox, "ours")).rejects.toMatchObject(refused("new.txt"));
  symlinkSync("/etc/passwd", join(sandbox.root, "out"));
  await expect(onto(it, sandbox, "ours")).rejects.toMatchObject({ name: "ChangesetRefusedError" });
  expect(git(it.project, "branch", "--list", "ours")).toBe("");
});

test("a repository without a commit, and one that does not use SHA-1, have no branch for a change", async () => {
  for (const [format, words] of [
    ["sha1", "no commit yet"],
    ["sha256", "SHA-1"],
  ] as const) {
    await using it = fixture({ git: false, files: FILES });
    git(it.project, "init", "-q", "-b", "main", `--object-format=${format}`);
    named(it.project);
    if (format === "sha256") git(it.project, "commit", "-q", "--allow-empty", "-m", "start");
    const sandbox = await it.create();
    write(sandbox.root, { "a.txt": "plan\n" });
    await expect(onto(it, sandbox, "ours")).rejects.toMatchObject(refused(words));
    await it.apply(sandbox);
    expect(treeOf(it.project)["a.txt"]).toBe(treeOf(sandbox.root)["a.txt"]);
  }
});

test("a worktree of a bare repository gets the commit on a branch of that", async () => {
  await using it = committing();
  const bare = join(it.base, "bare.git");
  git(it.base, "clone", "-q", "--bare", it.project, bare);
  named(bare);
  git(bare, "worktree", "add", "-q", join(it.base, "work"), "-b", "work");
  const sandbox = await it.workspace.create("PLAN", join(it.base, "work"), never);
  write(sandbox.root, { "a.txt": "plan\n" });
  const { commit } = await onto(it, sandbox, "ours");
  expect(git(bare, "rev-parse", "ours").trim()).toBe(commit);
  expect(git(bare, "show", "ours:a.txt")).toBe("plan\n");
});
