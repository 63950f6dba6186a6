import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fixture, git, never, scriptedGit, treeOf, userState, write } from "./git-fixtures.ts";

const paths = async (sandbox: {
  compare(): Promise<{ changeset: { files: readonly { path: string }[] } }>;
}) => (await sandbox.compare()).changeset.files.map((file) => file.path);

test("a dirty tree with staged changes is exported as it is on disk, and nothing of the user's is touched", async () => {
  await using it = fixture({ git: true, files: { "a.txt": "one\n", "b.txt": "b\n", "gone.txt": "x\n" } });
  write(it.project, { "a.txt": "staged\n" });
  git(it.project, "add", "a.txt");
  write(it.project, { "a.txt": "staged, then edited\n", "untracked.txt": "u\n" });
  write(it.project, { "b.txt": "stashed\n" });
  git(it.project, "stash", "push", "-q", "b.txt");
  rmSync(join(it.project, "gone.txt"));
  const before = userState(it.project);
  const sandbox = await it.create();
  expect(treeOf(sandbox.root)).toEqual(before["files"]);
  write(sandbox.root, { "a.txt": "plan\n" });
  await sandbox.restore(sandbox.baseTree);
  await sandbox.compare();
  await sandbox.dispose();
  expect(userState(it.project)).toEqual(before);
});

test("applying touches the working tree only: index, HEAD, stash and configuration stay", async () => {
  await using it = fixture({ git: true });
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "plan\n" });
  const { files: _, status: __, ...before } = userState(it.project);
  await it.apply(sandbox);
  expect(userState(it.project)).toMatchObject(before);
});

test("ignored files are left out: by .gitignore, info/exclude and the user's excludes file, also in the sandbox", async () => {
  await using it = fixture({ git: true, files: { ".gitignore": "*.log\n" } });
  write(it.base, {
    "my-ignores": "*.swp\n",
    ".gitconfig": `[core]\n\texcludesFile = ${join(it.base, "my-ignores")}\n`,
  });
  write(it.project, { ".git/info/exclude": "*.tmp\n", "a.log": "", "a.tmp": "", "a.swp": "", "a.kept": "" });
  const sandbox = await it.create();
  expect(Object.keys(treeOf(sandbox.root)).sort()).toEqual([".gitignore", "a.kept"]);
  write(sandbox.root, { "b.log": "", "b.tmp": "", "b.swp": "", "b.kept": "" });
  expect(await paths(sandbox)).toEqual(["b.kept"]);
  const { projectRoot, state, baseTree: tree } = sandbox;
  const child = await it.workspace.derive("CHILD", { planId: "PLAN", projectRoot, state, tree }, never);
  write(child.root, { "b.log": "", "b.tmp": "", "b.swp": "", "b.kept": "" });
  expect(await paths(child)).toEqual(["b.kept"]);
});

test("a tracked file that is ignored is worked on, also when it is deleted and made again", async () => {
  await using it = fixture({ git: true, files: { "kept.log": "old\n" } });
  write(it.project, { ".gitignore": "*.log\n" });
  const sandbox = await it.create();
  rmSync(join(sandbox.root, "kept.log"));
  expect(await paths(sandbox)).toEqual(["kept.log"]);
  write(sandbox.root, { "kept.log": "new\n" });
  expect((await sandbox.compare()).changeset.files).toMatchObject([{ path: "kept.log", op: "modify" }]);
});

test("a plain folder is copied but for what can be made again", async () => {
  const files = {
    "a.txt": "a",
    ".gitignore": "*.log\n",
    "b.log": "b",
    "node_modules/x/i.js": "",
    "sub/.venv/p": "",
    "target/o": "",
    ".cleveragents/c": "",
  };
  await using it = fixture({ git: false, files });
  const sandbox = await it.create();
  expect(Object.keys(treeOf(sandbox.root)).sort()).toEqual([".gitignore", "a.txt", "b.log"]);
  write(sandbox.root, { "node_modules/y/i.js": "", "target/p": "", "new.log": "" });
  expect(await paths(sandbox)).toEqual(["new.log"]);
});

for (const kind of ["git", "plain"])
  test(`a data directory inside a ${kind} project is never exported and never in a diff`, async () => {
    await using it = fixture({ git: kind === "git", dataDir: "my data[1]" });
    await (await it.create("EARLIER")).checkpoint("x");
    const sandbox = await it.create();
    expect(Object.keys(treeOf(sandbox.root))).toEqual(["a.txt"]);
    write(sandbox.root, { "my data[1]/evil": "x", "b.txt": "b" });
    expect(await paths(sandbox)).toEqual(["b.txt"]);
    await it.apply(sandbox);
    expect(existsSync(join(it.project, "my data[1]/evil"))).toBe(false);
  });

test("a project reached through a link or a folder inside it is the same project", async () => {
  await using it = fixture({ git: true, files: { "sub/a.txt": "a" } });
  symlinkSync(it.project, join(it.base, "link"));
  const real = realpathSync(it.project);
  expect((await it.workspace.inspect(join(it.base, "link"))).root).toBe(real);
  expect((await it.workspace.inspect(join(it.base, "link/sub"))).root).toBe(real);
  const sandbox = await it.workspace.create("PLAN", join(it.base, "link"), never);
  expect(sandbox.projectRoot).toBe(real);
});

test("an empty repository, a detached HEAD and a branch are told apart", async () => {
  await using it = fixture({ git: true });
  const head = git(it.project, "rev-parse", "HEAD").trim();
  expect(await it.workspace.inspect(it.project)).toMatchObject({ kind: "git", branch: "main", head });
  git(it.project, "checkout", "-q", "--detach");
  expect(await it.workspace.inspect(it.project)).not.toHaveProperty("branch");
  const empty = join(it.base, "empty");
  mkdirSync(empty);
  git(empty, "init", "-q", "-b", "main");
  expect(await it.workspace.inspect(empty)).not.toHaveProperty("head");
  const sandbox = await it.workspace.create("PLAN", empty, never);
  write(sandbox.root, { "first.txt": "first\n" });
  await it.apply(sandbox);
  expect(readFileSync(join(empty, "first.txt"), "utf8")).toBe("first\n");
  expect(git(empty, "status", "--porcelain")).toBe("?? first.txt\n");
});

test("a folder becomes a repository between two looks", async () => {
  await using it = fixture({ git: false });
  expect((await it.workspace.inspect(it.project)).kind).toBe("plain");
  git(it.project, "init", "-q");
  expect((await it.workspace.inspect(it.project)).kind).toBe("git");
});

test("a shallow clone works and is pointed out", async () => {
  await using it = fixture({ git: true });
  git(it.base, "clone", "-q", "--depth=1", `file://${it.project}`, "shallow");
  const sandbox = await it.workspace.create("PLAN", join(it.base, "shallow"), never);
  expect(sandbox.state.warnings.join()).toContain("shallow");
  write(sandbox.root, { "a.txt": "new\n" });
  await it.apply(sandbox);
  expect(readFileSync(join(it.base, "shallow/a.txt"), "utf8")).toBe("new\n");
});

test("a bare repository, a .git directory, the home directory and the data directory are refused", async () => {
  await using it = fixture({ git: true });
  git(it.base, "init", "-q", "--bare", "bare.git");
  const reason = async (path: string) =>
    await it.workspace.inspect(path).then(
      () => "none",
      (error) => error.reason,
    );
  expect(await reason(join(it.base, "bare.git"))).toBe("BARE_REPOSITORY");
  expect(await reason(join(it.project, ".git"))).toBe("FORBIDDEN_PATH");
  expect(await reason(it.base)).toBe("FORBIDDEN_PATH");
  const sandbox = await it.create();
  expect(await reason(sandbox.root)).toBe("FORBIDDEN_PATH");
});

test("a missing git and one that is too old are named, and looked for again the next time", async () => {
  await using it = fixture({ git: true });
  const missing = it.again({ git: join(it.base, "later-git") });
  await expect(missing.inspect(it.project)).rejects.toMatchObject({ reason: "GIT_MISSING" });
  renameSync(scriptedGit(it.base, ""), join(it.base, "later-git"));
  expect((await missing.inspect(it.project)).kind).toBe("git");
  const old = it.again({
    git: scriptedGit(it.base, 'case "$*" in *version*) echo git version 2.37.9; exit;; esac'),
  });
  await expect(old.inspect(it.project)).rejects.toMatchObject({ reason: "GIT_TOO_OLD" });
});

test("a full disk is NO_SPACE, and what was half made is gone", async () => {
  await using it = fixture({ git: true });
  const full =
    'case "$*" in *checkout-index*) echo "error: unable to write file: No space left on device" >&2; exit 128;; esac';
  const workspace = it.again({ git: scriptedGit(it.base, full) });
  await expect(workspace.create("PLAN", it.project, never)).rejects.toMatchObject({ reason: "NO_SPACE" });
  expect(existsSync(join(it.dataDir, "sandboxes/PLAN"))).toBe(false);
});

test.skipIf(process.getuid?.() !== 0)("somebody else's repository works and is pointed out", async () => {
  await using it = fixture({ git: true });
  chownSync(it.project, 12345, 12345);
  chownSync(join(it.project, ".git"), 12345, 12345);
  const sandbox = await it.create();
  expect(sandbox.state.warnings.join()).toContain("another user");
  write(sandbox.root, { "a.txt": "new\n" });
  chownSync(join(it.project, "a.txt"), 12345, 12345);
  await it.apply(sandbox);
  expect(statSync(join(it.project, "a.txt")).uid).toBe(12345);
});

test("files of a submodule are there, changes in them are in the changeset, and disposing works", async () => {
  await using it = fixture({ git: true });
  mkdirSync(join(it.base, "sub"));
  git(join(it.base, "sub"), "init", "-q");
  write(join(it.base, "sub"), { "s.txt": "s\n", ".gitignore": "*.log\n" });
  git(join(it.base, "sub"), "add", "-A");
  git(join(it.base, "sub"), "commit", "-qm", "s");
  git(it.project, "submodule", "--quiet", "add", join(it.base, "sub"), "sm");
  write(it.project, { "sm/x.log": "" });
  const before = userState(it.project);
  const sandbox = await it.create();
  expect(readFileSync(join(sandbox.root, "sm/s.txt"), "utf8")).toBe("s\n");
  expect(existsSync(join(sandbox.root, "sm/x.log"))).toBe(false);
  expect(sandbox.state.warnings.join()).toContain("submodule");
  write(sandbox.root, { "sm/s.txt": "changed\n" });
  const { changeset } = await sandbox.compare();
  expect(changeset.files).toMatchObject([{ path: "sm/s.txt", op: "modify" }]);
  expect(changeset.risks).toMatchObject([{ kind: "submodule", path: "sm/s.txt" }]);
  await it.apply(sandbox);
  expect(git(join(it.project, "sm"), "status", "--porcelain")).toBe(" M s.txt\n");
  await sandbox.dispose();
  expect(userState(it.project)).toMatchObject({ index: before["index"], worktrees: before["worktrees"] });
});

test("a submodule that is not checked out is pointed out and does no harm", async () => {
  await using it = fixture({ git: true });
  git(it.project, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sm`);
  mkdirSync(join(it.project, "sm"));
  const sandbox = await it.create();
  expect(sandbox.state.warnings.join()).toContain("not checked out");
  expect((await sandbox.compare()).changeset.files).toEqual([]);
});

test("a repository inside the project is copied without its .git, and pointed out", async () => {
  for (const outer of [true, false]) {
    await using it = fixture({ git: outer });
    mkdirSync(join(it.project, "inner"));
    git(join(it.project, "inner"), "init", "-q");
    write(it.project, { "inner/i.txt": "i\n" });
    const sandbox = await it.create();
    expect(Object.keys(treeOf(sandbox.root)).sort()).toEqual(["a.txt", "inner/i.txt"]);
    expect(sandbox.state.warnings.join()).toContain("inner");
    write(sandbox.root, { "inner/j.txt": "j\n" });
    expect(await paths(sandbox)).toEqual(["inner/j.txt"]);
  }
});

test("the base survives when the user's repository drops the objects it was made of", async () => {
  await using it = fixture({ git: true, files: { "a.txt": "precious\n" } });
  const sandbox = await it.create();
  write(it.project, { "a.txt": "amended\n" });
  git(it.project, "commit", "-qa", "--amend", "-m", "other");
  git(it.project, "reflog", "expire", "--expire=now", "--all");
  git(it.project, "gc", "-q", "--prune=now");
  rmSync(join(sandbox.root, "a.txt"));
  await sandbox.restore(sandbox.baseTree);
  expect(readFileSync(join(sandbox.root, "a.txt"), "utf8")).toBe("precious\n");
});

test("packs and loose objects of the project are linked, not copied, and stay out of our garbage collection", async () => {
  await using it = fixture({ git: true, files: { "packed.txt": "packed\n" } });
  git(it.project, "gc", "-q");
  write(it.project, { "loose.txt": "loose\n" });
  git(it.project, "add", "loose.txt");
  await it.create();
  const objects = join(it.project, ".git/objects");
  const pack = readdirSync(join(objects, "pack")).find((name) => name.endsWith(".pack")) ?? "";
  const id = git(it.project, "rev-parse", ":loose.txt").trim();
  expect(statSync(join(objects, "pack", pack)).nlink).toBe(2);
  expect(statSync(join(objects, id.slice(0, 2), id.slice(2))).nlink).toBe(2);
  const [store] = readdirSync(join(it.dataDir, "stores"));
  expect(readdirSync(join(it.dataDir, "stores", store ?? "", "objects/pack"))).toContain(
    pack.replace(".pack", ".keep"),
  );
});

test("a remembered index whose objects are lost is made again", async () => {
  await using it = fixture({ git: true });
  const first = await it.create("FIRST");
  await first.dispose();
  const [store] = readdirSync(join(it.dataDir, "stores"));
  git(join(it.dataDir, "stores", store ?? ""), "update-ref", "-d", "refs/remembered/project");
  git(join(it.dataDir, "stores", store ?? ""), "prune", "--expire=now");
  const sandbox = await it.create();
  expect(Object.keys(treeOf(sandbox.root))).toEqual(["a.txt"]);
});

test("a second sandbox sees what the user has changed since the first", async () => {
  await using it = fixture({ git: true, files: { "a.txt": "1\n", "b.txt": "b\n" } });
  for (let round = 0; round < 4; round++) {
    write(it.project, { "a.txt": `${round}\n` });
    const sandbox = await it.create(`P${round}`);
    expect(readFileSync(join(sandbox.root, "a.txt"), "utf8")).toBe(`${round}\n`);
  }
  rmSync(join(it.project, "b.txt"));
  expect(Object.keys(treeOf((await it.create()).root))).toEqual(["a.txt"]);
});

test("a sandbox whose making was cut off is removed at the next start, a living one is not", async () => {
  await using it = fixture({ git: true });
  const living = await it.create("LIVING");
  write(it.dataDir, {
    "sandboxes/DEAD/making": JSON.stringify({ pid: 999_999_999, start: "1" }),
    "sandboxes/DEAD/tree/x": "",
  });
  await it.again().recover();
  expect(existsSync(join(it.dataDir, "sandboxes/DEAD"))).toBe(false);
  expect(existsSync(living.root)).toBe(true);
});

test("what killed calls leave behind does not stop the next one", async () => {
  await using it = fixture({ git: true });
  const sandbox = await it.create();
  write(it.dataDir, { "sandboxes/PLAN/index.lock": "", "sandboxes/PLAN/index.abc": "half" });
  write(sandbox.root, { "b.txt": "b" });
  expect(await paths(sandbox)).toEqual(["b.txt"]);
});

test("permissions that a process took away are given back where they hide files", async () => {
  await using it = fixture({ git: true, files: { "d/a.txt": "a", "b.txt": "b" } });
  const sandbox = await it.create();
  chmodSync(join(sandbox.root, "d"), 0o000);
  await sandbox.restore(sandbox.baseTree);
  expect(readFileSync(join(sandbox.root, "d/a.txt"), "utf8")).toBe("a");
  expect((await sandbox.compare()).changeset.files).toEqual([]);
  writeFileSync(join(sandbox.root, "c.txt"), "c");
  await sandbox.dispose();
  expect(existsSync(sandbox.root)).toBe(false);
});
