import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Fixture, fixture, git, never, treeOf, userState, write } from "./git-fixtures.ts";

const fifo = (path: string) => execFileSync("mkfifo", [path]);

/** Plans on a project that is not the fixture's: the sandbox is its tree, an edit comes through, all else stays. */
async function worksOn(it: Fixture, project: string, edited = "a.txt"): Promise<readonly string[]> {
  const skip = [".git", ".bare"];
  const before = treeOf(project, skip);
  const sandbox = await it.workspace.create("PLAN", project, never);
  expect(treeOf(sandbox.root)).toEqual(before);
  write(sandbox.root, { [edited]: "edited\n" });
  const { changeset, digest, to } = await sandbox.compare();
  expect(changeset.files.map(({ path }) => path)).toEqual([edited]);
  expect(treeOf(project, skip)).toEqual(before);
  await it.workspace.apply(sandbox, { planId: "PLAN", digest, toTree: to });
  expect(treeOf(project, skip)).toEqual(treeOf(sandbox.root));
  return sandbox.state.warnings;
}

test("an unmerged index is worked on as the files are, and stays unmerged", async () => {
  await using it = fixture({ git: true });
  git(it.project, "checkout", "-q", "-b", "other");
  write(it.project, { "a.txt": "theirs\n" });
  git(it.project, "commit", "-qam", "theirs");
  git(it.project, "checkout", "-q", "main");
  write(it.project, { "a.txt": "ours\n" });
  git(it.project, "commit", "-qam", "ours");
  expect(() => git(it.project, "merge", "-q", "other")).toThrow();
  const { index, head, refs } = userState(it.project);
  await worksOn(it, it.project, "b.txt");
  expect(userState(it.project)).toMatchObject({ index, head, refs });
  expect(git(it.project, "status", "--porcelain")).toContain("AA a.txt".replace("AA", "UU"));
});

test("a sparse checkout shows what is on disk, says so, and nothing that is not there counts as deleted", async () => {
  await using it = fixture({ git: true, files: { "a.txt": "a\n", "in/b.txt": "b\n", "out/c.txt": "c\n" } });
  git(it.project, "sparse-checkout", "set", "in");
  expect(existsSync(join(it.project, "out/c.txt"))).toBe(false);
  const warnings = await worksOn(it, it.project);
  expect(warnings.join()).toContain("sparse");
  expect(git(it.project, "status", "--porcelain")).toBe(" M a.txt\n");
});

test("a partial clone works without fetching anything", async () => {
  await using it = fixture({ git: true, files: { "a.txt": "a\n", "b.txt": "b\n" } });
  git(it.project, "config", "uploadpack.allowFilter", "true");
  git(it.base, "clone", "-q", "--filter=blob:none", `file://${it.project}`, "partial");
  // Whoever fetched now would fail.
  renameSync(it.project, join(it.base, "moved"));
  await worksOn(it, join(it.base, "partial"));
});

test("a worktree of a bare repository is a project like any other", async () => {
  await using it = fixture({ git: true });
  mkdirSync(join(it.base, "layout"));
  git(it.base, "clone", "-q", "--bare", it.project, "layout/.bare");
  write(join(it.base, "layout"), { ".git": "gitdir: ./.bare\n" });
  git(join(it.base, "layout"), "worktree", "add", "-q", "feature", "main");
  const worktree = join(it.base, "layout/feature");
  const worktrees = git(worktree, "worktree", "list");
  await worksOn(it, worktree);
  expect(git(worktree, "worktree", "list")).toBe(worktrees);
  await expect(it.workspace.inspect(join(it.base, "layout"))).rejects.toMatchObject({
    reason: "BARE_REPOSITORY",
  });
});

test("pointers of Git LFS are files like others, and no filter runs", async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12\n`;
  await using it = fixture({
    git: true,
    files: { ".gitattributes": "*.big filter=lfs diff=lfs -text\n", "kept.big": pointer, "a.txt": "a\n" },
  });
  git(it.project, "config", "filter.lfs.clean", `touch ${it.base}/ran`);
  git(it.project, "config", "filter.lfs.smudge", `touch ${it.base}/ran`);
  git(it.project, "config", "filter.lfs.required", "true");
  write(it.project, { "fetched.big": "the content\n" });
  const warnings = await worksOn(it, it.project);
  expect(warnings.join()).toContain("LFS");
  expect(existsSync(join(it.base, "ran"))).toBe(false);
});

test("a rename that changes the case alone, and a folder that takes a file's place and the other way round", async () => {
  await using it = fixture({
    git: true,
    files: { "Readme.md": "text\n".repeat(20), file: "f\n", "folder/inner.txt": "i\n" },
  });
  const sandbox = await it.create();
  renameSync(join(sandbox.root, "Readme.md"), join(sandbox.root, "README.md"));
  rmSync(join(sandbox.root, "file"));
  rmSync(join(sandbox.root, "folder"), { recursive: true });
  write(sandbox.root, { "file/inner.txt": "new\n", folder: "now a file\n" });
  const { changeset } = await sandbox.compare();
  expect(changeset.files).toContainEqual(
    expect.objectContaining({ op: "rename", previousPath: "Readme.md", path: "README.md" }),
  );
  await it.apply(sandbox);
  expect(treeOf(it.project)).toEqual(treeOf(sandbox.root));
});

test("pipes are left out and said so; one that a command makes is no part of the changeset", async () => {
  for (const kind of ["git", "plain"]) {
    await using it = fixture({ git: kind === "git", files: { "a.txt": "a\n", "was-file": "w\n" } });
    rmSync(join(it.project, "was-file"));
    fifo(join(it.project, "was-file"));
    const sandbox = await it.create();
    expect(Object.keys(treeOf(sandbox.root))).toEqual(["a.txt"]);
    expect(sandbox.state.warnings).toContain(
      "was-file is left out: it is neither a file, a link nor a folder",
    );
    fifo(join(sandbox.root, "pipe"));
    rmSync(join(sandbox.root, "a.txt"));
    fifo(join(sandbox.root, "a.txt"));
    const { changeset } = await sandbox.compare();
    expect(changeset.files.map(({ path, op }) => [path, op])).toEqual([["a.txt", "delete"]]);
  }
});

test("a folder of a repository is the whole repository, and that is said", async () => {
  await using it = fixture({ git: true, files: { "sub/a.txt": "a" } });
  const { root, warnings } = await it.workspace.inspect(join(it.project, "sub"));
  expect(root).toBe(it.project);
  expect(warnings).toEqual([
    `${join(it.project, "sub")} is a folder of a repository: the project is the whole of it, ${it.project}`,
  ]);
  expect((await it.workspace.inspect(it.project)).warnings).toEqual([]);
});

test.skipIf(process.getuid?.() !== 0)(
  "another user's repository is trusted for the project alone, and that is said",
  async () => {
    await using it = fixture({ git: true });
    execFileSync("chown", ["-R", "12345:12345", it.project]);
    expect(() => git(it.project, "status")).toThrow("dubious ownership");
    const warnings = await worksOn(it, it.project);
    expect(warnings.join()).toContain("belongs to another user");
    expect(existsSync(join(it.base, ".gitconfig"))).toBe(false);
  },
);

test("thousands of ignored files cost nothing and stay out", async () => {
  await using it = fixture({ git: true, files: { "a.txt": "a\n", ".gitignore": "cache/\n*.tmp\n" } });
  write(
    it.project,
    Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`cache/${n % 50}/${n}.o`, "o"])),
  );
  symlinkSync("cache", join(it.project, "link"));
  const sandbox = await it.create();
  expect(Object.keys(treeOf(sandbox.root)).sort()).toEqual([".gitignore", "a.txt", "link"]);
  write(sandbox.root, { "cache/new.o": "o", "x.tmp": "t" });
  expect((await sandbox.compare()).changeset.files).toEqual([]);
});

test("a project that is larger than a sandbox may be is refused with both figures, before anything is written", async () => {
  await using it = fixture({ git: true, files: { "a.txt": "a", "b.bin": Buffer.alloc(3_000_000, 1) } });
  const workspace = it.again({ sandboxQuota: 2_000_000 });
  await expect(workspace.create("PLAN", it.project, never)).rejects.toMatchObject({
    reason: "QUOTA_EXCEEDED",
    message: "the project's 2 files need 4 MB, and a sandbox may hold 2 MB",
  });
  expect(await workspace.holdings()).toEqual([]);
  await it.again({ sandboxQuota: 4_000_000 }).create("PLAN", it.project, never);
});

test("the making of a sandbox tells its stages, with how much there is", async () => {
  await using it = fixture({ git: true, files: { "a.txt": "abc", "b.txt": "de" } });
  const told: unknown[] = [];
  await it.workspace.create("PLAN", it.project, never, (progress) => told.push(progress));
  expect(told).toEqual([
    { stage: "recording", files: 2, bytes: 5 },
    { stage: "copying", files: 2, bytes: 5 },
  ]);
});

test("what is kept for a plan is weighed: its own files, and nothing when it is gone", async () => {
  await using it = fixture({ git: true, files: { "a.bin": Buffer.alloc(200_000, 1) } });
  await it.create();
  const { bytes, files } = await it.workspace.weigh("PLAN");
  expect(bytes).toBeGreaterThanOrEqual(200_000);
  expect(files).toBe(4);
  await it.workspace.release("PLAN");
  expect(await it.workspace.weigh("PLAN")).toEqual({ bytes: 0, files: 0 });
});
