import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Sandbox, SelectedChange, SelectRequest } from "@cleveragents/application";
import { expect, test } from "vitest";
import { type Fixture, fixture, git, treeOf, userState, write } from "./git-fixtures.ts";

const LINES = Array.from({ length: 20 }, (_, n) => `line ${n}\n`);
const FILES = {
  "a.txt": LINES.join(""),
  "src/b.txt": "b\n",
  "src/c.txt": "c\n",
  file: "f\n",
  run: "#!/bin/sh\n",
};
const lines = (changed: Readonly<Record<number, string>>) =>
  LINES.map((line, n) => (changed[n] === undefined ? line : `${changed[n]}\n`)).join("");

async function select(
  it: Fixture,
  sandbox: Sandbox,
  request: Omit<SelectRequest, "planId" | "digest">,
): Promise<SelectedChange> {
  const { digest } = await sandbox.compare();
  return await it.workspace.select(sandbox, { planId: "PLAN", digest, ...request });
}

const applied = (it: Fixture, { from, to, digest }: SelectedChange, planId = "PLAN") =>
  it.workspace.apply({ projectRoot: it.project, baseTree: from }, { planId, digest, toTree: to });
const pathsOf = ({ changeset }: { changeset: SelectedChange["changeset"] }) =>
  changeset.files.map((file) => file.path);

test("globs choose as git's do: a star stays in its folder, a folder means all in it", async () => {
  await using it = fixture({ git: true, files: FILES });
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "a\n", "src/b.txt": "B\n", "src/.env": "e\n", "src/deep/d.txt": "d\n" });
  expect(pathsOf(await select(it, sandbox, { only: ["src"] }))).toEqual([
    "src/.env",
    "src/b.txt",
    "src/deep/d.txt",
  ]);
  expect(pathsOf(await select(it, sandbox, { only: ["*.txt"] }))).toEqual(["a.txt"]);
  expect(pathsOf(await select(it, sandbox, { only: ["**/*.txt"], exclude: ["src/deep/"] }))).toEqual([
    "a.txt",
    "src/b.txt",
  ]);
  const part = await select(it, sandbox, { exclude: ["./src/*"] });
  expect(pathsOf(part)).toEqual(["a.txt", "src/deep/d.txt"]);
  expect(part.leftOut?.changeset.files.map((file) => file.path)).toEqual(["src/.env", "src/b.txt"]);
  for (const only of ["nowhere", "../x", ":(exclude)a.txt", "/etc/passwd"])
    await expect(select(it, sandbox, { only: [only] })).rejects.toMatchObject({
      name: "SelectionError",
      pattern: only,
    });
  await expect(select(it, sandbox, { exclude: ["**"] })).rejects.toMatchObject({ name: "SelectionError" });
});

test("a part has its own digest, and applying it leaves the rest of the project as it is", async () => {
  await using it = fixture({ git: true, files: FILES });
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "a\n", "src/b.txt": "B\n" });
  const whole = await sandbox.compare();
  const part = await select(it, sandbox, { only: ["src"] });
  expect(part.digest).not.toBe(whole.digest);
  await expect(
    it.workspace.apply(
      { projectRoot: it.project, baseTree: part.from },
      { planId: "PLAN", digest: whole.digest, toTree: part.to },
    ),
  ).rejects.toMatchObject({ name: "DigestMismatchError" });
  expect(await applied(it, part)).toEqual({ written: 1, deleted: 0 });
  expect(readFileSync(join(it.project, "a.txt"), "utf8")).toBe(FILES["a.txt"]);
  expect(readFileSync(join(it.project, "src/b.txt"), "utf8")).toBe("B\n");
  expect((await select(it, sandbox, { only: ["**"] })).digest).toBe(whole.digest);
});

test("both ends of a rename, and a file with the folder whose place it takes, go together", async () => {
  await using it = fixture({ git: true, files: FILES });
  const sandbox = await it.create();
  renameSync(join(sandbox.root, "a.txt"), join(sandbox.root, "moved.txt"));
  rmSync(join(sandbox.root, "src"), { recursive: true });
  write(sandbox.root, { src: "a file now\n" });
  rmSync(join(sandbox.root, "file"));
  write(sandbox.root, { "file/inner.txt": "i\n" });
  for (const only of ["a.txt", "moved.txt"])
    expect(pathsOf(await select(it, sandbox, { only: [only] }))).toEqual(["moved.txt"]);
  expect(pathsOf(await select(it, sandbox, { exclude: ["a.txt", "file/**"] }))).toEqual([
    "src",
    "src/b.txt",
    "src/c.txt",
  ]);
  expect(pathsOf(await select(it, sandbox, { only: ["file/inner.txt"] }))).toEqual([
    "file",
    "file/inner.txt",
  ]);
});

test("edits of the same file that do not overlap are merged, with a digest of their own", async () => {
  await using it = fixture({ git: true, files: FILES });
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": lines({ 15: "the plan's" }), "src/b.txt": "B\n" });
  chmodSync(join(sandbox.root, "a.txt"), 0o755);
  write(it.project, { "a.txt": lines({ 2: "mine" }), "src/c.txt": "mine too\n" });
  const before = userState(it.project);
  const merged = await select(it, sandbox, { rebase: true });
  expect(userState(it.project)).toEqual(before);
  expect(merged.merged).toEqual(["a.txt"]);
  expect(merged.digest).not.toBe((await sandbox.compare()).digest);
  await applied(it, merged);
  expect(readFileSync(join(it.project, "a.txt"), "utf8")).toBe(lines({ 2: "mine", 15: "the plan's" }));
  expect(treeOf(it.project)["a.txt"]).toMatch(/^755 /);
  expect(readFileSync(join(it.project, "src/c.txt"), "utf8")).toBe("mine too\n");
});

test("a file that the plan renames keeps what the user has written into it", async () => {
  await using it = fixture({ git: true, files: FILES });
  const sandbox = await it.create();
  renameSync(join(sandbox.root, "a.txt"), join(sandbox.root, "moved.txt"));
  write(it.project, { "a.txt": lines({ 2: "mine" }) });
  await applied(it, await select(it, sandbox, { rebase: true }));
  expect(treeOf(it.project)["a.txt"]).toBeUndefined();
  expect(readFileSync(join(it.project, "moved.txt"), "utf8")).toBe(lines({ 2: "mine" }));
});

test("every file that does not go together is a conflict, and nothing is written", async () => {
  await using it = fixture({ git: true, files: FILES });
  const sandbox = await it.create();
  write(sandbox.root, {
    "a.txt": lines({ 2: "the plan's" }),
    "new.txt": "n\n",
    "src/b.txt": "B\n",
    run: Buffer.from([0, 1]),
  });
  rmSync(join(sandbox.root, "src/c.txt"));
  write(it.project, {
    "a.txt": lines({ 2: "mine" }),
    "new.txt": "m\n",
    "src/c.txt": "C\n",
    run: Buffer.from([0, 2]),
  });
  rmSync(join(it.project, "src/b.txt"));
  const before = userState(it.project);
  await expect(select(it, sandbox, { rebase: true })).rejects.toMatchObject({
    name: "MergeConflictError",
    conflicts: [
      { path: "a.txt", why: expect.stringContaining("same lines") },
      { path: "new.txt", why: expect.stringContaining("differently") },
      { path: "run", why: expect.stringContaining("not text") },
      { path: "src/b.txt", why: expect.stringContaining("deleted in the project") },
      { path: "src/c.txt", why: expect.stringContaining("deleted by the plan") },
    ],
  });
  expect(userState(it.project)).toEqual(before);
});

test("undo is the exact inverse, and outlives the plan and its sandbox", async () => {
  await using it = fixture({ git: true, files: FILES });
  const old = treeOf(it.project);
  const sandbox = await it.create();
  renameSync(join(sandbox.root, "a.txt"), join(sandbox.root, "moved.txt"));
  rmSync(join(sandbox.root, "src"), { recursive: true });
  write(sandbox.root, { src: "a file now\n", empty: "" });
  chmodSync(join(sandbox.root, "run"), 0o755);
  rmSync(join(sandbox.root, "file"));
  symlinkSync("run", join(sandbox.root, "file"));
  await it.apply(sandbox);
  const fresh = treeOf(it.project);
  await it.workspace.release("PLAN");
  await it.workspace.tidy();
  git(it.project, "gc", "-q", "--prune=now");
  const undo = await it.again().undo("PLAN", it.project);
  if (undo === undefined) throw new Error("nothing is kept");
  const target = { projectRoot: it.project, baseTree: undo.from };
  const request = { planId: "UNDO", digest: undo.digest, toTree: undo.to };
  write(it.project, { empty: "mine\n" });
  await expect(it.workspace.apply(target, request)).rejects.toMatchObject({
    name: "BaseDriftError",
    files: [{ path: "empty" }],
  });
  write(it.project, { empty: "" });
  expect(treeOf(it.project)).toEqual(fresh);
  await it.workspace.apply(target, request);
  expect(treeOf(it.project)).toEqual(old);
  const again = await it.workspace.undo("UNDO", it.project);
  expect(again?.to).toBe(undo.from);
});

test("what undoes an apply is let go of after 30 days", async () => {
  await using it = fixture({ git: true, files: FILES });
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "a\n" });
  await it.apply(sandbox);
  const day = 24 * 60 * 60 * 1000;
  await it.again({ clock: { now: () => 29 * day } }).tidy();
  expect(await it.workspace.undo("PLAN", it.project)).toBeDefined();
  const [store = ""] = readdirSync(join(it.dataDir, "stores"));
  const letGo = () => existsSync(join(it.dataDir, "stores", store, "released"));
  expect(letGo()).toBe(false);
  await it.again({ clock: { now: () => 31 * day } }).tidy();
  expect(await it.workspace.undo("PLAN", it.project)).toBeUndefined();
  // What it was made of goes when the store is collected the next time.
  expect(letGo()).toBe(true);
});

/** With somebody to make commits. */
function committing(): Fixture {
  const it = fixture({ git: true, files: FILES });
  git(it.project, "config", "user.name", "Ada");
  git(it.project, "config", "user.email", "ada@localhost");
  return it;
}

async function ontoBranch(it: Fixture, sandbox: Sandbox, branch: string, planId = "PLAN") {
  const { digest, to } = await sandbox.compare();
  return await it.workspace.apply(sandbox, { planId, digest, toTree: to, branch });
}

test("a branch gets the change as a commit, and the user's files, index and HEAD stay", async () => {
  await using it = committing();
  mkdirSync(join(it.project, ".git/hooks"), { recursive: true });
  for (const hook of ["pre-commit", "post-commit", "reference-transaction"]) {
    writeFileSync(join(it.project, ".git/hooks", hook), `#!/bin/sh\ntouch ${it.base}/hook-ran\n`);
    chmodSync(join(it.project, ".git/hooks", hook), 0o755);
  }
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "a\n", "new/x.txt": "x\n" });
  rmSync(join(sandbox.root, "src/b.txt"));
  write(it.project, { "untracked.txt": "u\n", "src/c.txt": "dirty\n" });
  git(it.project, "add", "src/c.txt");
  const { refs: _, ...before } = userState(it.project);
  const { commit } = await ontoBranch(it, sandbox, "agents/change");
  const { refs: __, ...after } = userState(it.project);
  expect(after).toEqual(before);
  expect(git(it.project, "rev-parse", "agents/change").trim()).toBe(commit);
  expect(git(it.project, "diff", "--name-status", "HEAD", "agents/change")).toBe(
    "M\ta.txt\nA\tnew/x.txt\nD\tsrc/b.txt\n",
  );
  expect(git(it.project, "log", "-1", "--format=%an <%ae>", "agents/change")).toBe("Ada <ada@localhost>\n");
  expect(git(it.project, "fsck", "--strict")).not.toContain("missing");
  expect(treeOf(it.base, ["project", "data"])["hook-ran"]).toBeUndefined();
});

test("a branch is gone on with where an apply has left it, and refused anywhere else", async () => {
  await using it = committing();
  git(it.project, "branch", "theirs");
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "a\n" });
  const refused = async (branch: string) =>
    await expect(ontoBranch(it, sandbox, branch, "OTHER")).rejects.toMatchObject({
      reason: "BRANCH_REFUSED",
    });
  for (const branch of ["theirs", "main", "bad..name", "-x", ""]) await refused(branch);
  const first = await ontoBranch(it, sandbox, "ours");
  const other = await it.workspace.create("NEXT", it.project, new AbortController().signal);
  write(other.root, { "src/c.txt": "next\n" });
  const second = await ontoBranch(it, other, "ours", "NEXT");
  expect(git(it.project, "rev-parse", "ours^").trim()).toBe(first.commit);
  expect(git(it.project, "rev-parse", "ours").trim()).toBe(second.commit);
  git(it.project, "branch", "-f", "ours", "main");
  await refused("ours");
});

test("work that is not committed is not put on a branch, and without an identity there is no commit", async () => {
  await using it = committing();
  write(it.project, { "a.txt": "not committed\n" });
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "not committed\nthe plan's\n" });
  await expect(ontoBranch(it, sandbox, "ours")).rejects.toMatchObject({
    reason: "BRANCH_REFUSED",
    message: expect.stringContaining("a.txt"),
  });
  execFileSync("git", ["config", "--unset", "user.name"], { cwd: it.project });
  await expect(ontoBranch(it, sandbox, "ours")).rejects.toMatchObject({ reason: "IDENTITY_MISSING" });
  expect(git(it.project, "branch", "--list", "ours")).toBe("");
});

for (const point of ["workspace.apply.committed", "workspace.apply.branched"])
  test(`cut off at "${point}", the same apply ends with one commit on the branch`, async () => {
    await using it = committing();
    const sandbox = await it.create();
    write(sandbox.root, { "a.txt": "a\n" });
    const { digest, to } = await sandbox.compare();
    const request = { planId: "PLAN", digest, toTree: to, branch: "ours" };
    const failPoint = (name: string) => {
      if (name === point) throw new Error("cut off");
    };
    await expect(it.again({ failPoint }).apply(sandbox, request)).rejects.toThrow("cut off");
    const { commit } = await it.again().apply(sandbox, request);
    expect(git(it.project, "rev-parse", "ours").trim()).toBe(commit);
    expect(git(it.project, "rev-list", "--count", "main..ours").trim()).toBe("1");
  });

test("a plain folder has no branches", async () => {
  await using it = fixture({ git: false, files: FILES });
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "a\n" });
  await expect(ontoBranch(it, sandbox, "ours")).rejects.toMatchObject({ reason: "BRANCH_REFUSED" });
});
