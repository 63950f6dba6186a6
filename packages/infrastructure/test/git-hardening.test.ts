import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Fixture, fixture, git, treeOf, userState, write } from "./git-fixtures.ts";

/** A script that leaves a trace if anything runs it. */
function trap(it: Fixture, path: string): { readonly sprung: () => boolean } {
  const trace = join(it.base, "pwned");
  writeFileSync(path, `#!/bin/sh\ntouch ${trace}\ncat\n`);
  chmodSync(path, 0o755);
  return { sprung: () => existsSync(trace) };
}

test("a repository that a process makes in the sandbox is never run, read or recorded", async () => {
  await using it = fixture({ git: true, files: { "a.txt": "one\n", "src/b.txt": "b\n" } });
  const sandbox = await it.create();
  const { sprung } = trap(it, join(sandbox.root, "evil.sh"));
  const evil = join(sandbox.root, "evil.sh");
  for (const folder of ["", "src", "fresh"]) {
    const root = join(sandbox.root, folder);
    mkdirSync(root, { recursive: true });
    git(root, "init", "-q");
    writeFileSync(
      join(root, ".git/config"),
      `[core]\n\tfsmonitor = ${evil}\n\thooksPath = ${sandbox.root}\n[filter "x"]\n\tclean = ${evil}\n\tsmudge = ${evil}\n\tprocess = ${evil}\n[diff "x"]\n\ttextconv = ${evil}\n\tcommand = ${evil}\n`,
    );
    write(root, { ".gitattributes": "* filter=x diff=x\n", "made.txt": "made\n" });
    for (const hook of ["pre-commit", "post-checkout", "post-index-change", "reference-transaction"])
      writeFileSync(join(root, ".git/hooks", hook), readFileSync(evil), { mode: 0o755 });
  }
  write(sandbox.root, { "a.txt": "changed\n" });
  const compared = await sandbox.compare();
  await compared.patch();
  await sandbox.restore(compared.to);
  expect(compared.changeset.files.map((file) => file.path)).toEqual([
    ".gitattributes",
    "a.txt",
    "evil.sh",
    "fresh/.gitattributes",
    "fresh/made.txt",
    "made.txt",
    "src/.gitattributes",
    "src/made.txt",
  ]);
  await it.apply(sandbox);
  expect(sprung()).toBe(false);
  expect(existsSync(join(it.project, "fresh/.git"))).toBe(false);
});

test("a .git file, a .GIT directory and a nested repository with commits are no part of the changeset", async () => {
  await using it = fixture({ git: true });
  const sandbox = await it.create();
  write(sandbox.root, {
    ".git": `gitdir: ${it.project}/.git\n`,
    ".GIT/config": "x",
    "sub/.gIt/config": "x",
    "crate/main.rs": "fn main() {}\n",
    "crate/.gitignore": "/out\n",
    "crate/out/o": "",
  });
  git(join(sandbox.root, "crate"), "init", "-q");
  git(join(sandbox.root, "crate"), "add", "-A");
  git(join(sandbox.root, "crate"), "commit", "-qm", "x");
  const before = userState(it.project);
  const { changeset } = await sandbox.compare();
  expect(changeset.files.map((file) => file.path)).toEqual(["crate/.gitignore", "crate/main.rs"]);
  expect(userState(it.project)).toEqual(before);
});

test("hooks, signing, templates and a missing identity of the user's do not come into play", async () => {
  await using it = fixture({ git: true });
  const { sprung } = trap(it, join(it.base, "hook"));
  mkdirSync(join(it.base, "hooks"));
  for (const hook of ["pre-commit", "reference-transaction", "post-index-change", "post-checkout"])
    symlinkSync("../hook", join(it.base, "hooks", hook));
  const config = `[core]\n\thooksPath = ${it.base}/hooks\n\tfsmonitor = ${it.base}/hook\n[commit]\n\tgpgsign = true\n[user]\n\tuseConfigOnly = true\n[init]\n\ttemplateDir = ${it.base}/hooks\n`;
  writeFileSync(join(it.base, ".gitconfig"), config);
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "two\n" });
  await sandbox.checkpoint("a label\nwith two lines");
  await it.apply(sandbox);
  expect(sprung()).toBe(false);
});

test("a private store obeys no configuration of the user's, wherever git looks for it", async () => {
  await using it = fixture({ git: false, files: { "a.txt": "one\n\ntwo\n", "b.txt": "b\n" } });
  const { sprung } = trap(it, join(it.base, "hostile"));
  const run = join(it.base, "hostile");
  const attributes = "* filter=x diff=x merge=x\n";
  // `ignoreStat` hides changes; `splitIndex` and `suppressBlankEmpty` change what git writes.
  const config = `[core]
\tfsmonitor = ${run}
\thooksPath = ${it.base}
\tattributesFile = ${it.base}/attributes
\texcludesFile = ${it.base}/excludes
\tignoreStat = true
\tsplitIndex = true
[filter "x"]
\tclean = ${run}
\tsmudge = ${run}
\trequired = true
[diff]
\texternal = ${run}
\tsuppressBlankEmpty = true
[diff "x"]
\tcommand = ${run}
\ttextconv = ${run}
[merge "x"]
\tdriver = ${run}
[merge]
\tconflictStyle = diff3
[init]
\ttemplateDir = ${it.base}
[trace2]
\teventTarget = ${it.base}/trace
[safe]
\tbareRepository = explicit
`;
  write(it.base, {
    attributes,
    excludes: "*.txt\n",
    ".gitconfig": config,
    ".config/git/config": config,
    ".config/git/attributes": attributes,
  });
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "ONE\n\ntwo\n", "b.txt": "B\n", "new.txt": "new\n" });
  const compared = await sandbox.compare();
  expect(compared.changeset.files.map(({ path, op }) => `${op} ${path}`)).toEqual([
    "modify a.txt",
    "modify b.txt",
    "create new.txt",
  ]);
  expect(await compared.patch()).toContain("+ONE\n \n two\n");
  await sandbox.restore(sandbox.baseTree);
  await sandbox.restore(compared.to);
  await it.apply(sandbox);
  expect(treeOf(it.project)).toEqual(treeOf(sandbox.root));
  expect(sprung()).toBe(false);
  expect(existsSync(join(it.base, "trace"))).toBe(false);
});

test("variables of git's that the server inherited change nothing", async () => {
  const env = {
    GIT_DIR: "/nowhere",
    GIT_WORK_TREE: "/nowhere",
    GIT_INDEX_FILE: "/nowhere",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.bare",
    GIT_CONFIG_VALUE_0: "true",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_TRACE: "1",
    GIT_EXTERNAL_DIFF: "/bin/false",
  };
  await using it = fixture({ git: true, env });
  const sandbox = await it.create();
  expect(sandbox.state.kind).toBe("git");
  write(sandbox.root, { "a.txt": "two\n" });
  expect((await sandbox.compare()).changeset.files).toMatchObject([
    { path: "a.txt", insertions: 1, deletions: 1 },
  ]);
});

for (const autocrlf of ["true", "input", "false"])
  test(`bytes decide: neither attributes nor autocrlf=${autocrlf} rewrite line endings, idents, encodings or filtered content`, async () => {
    const files = {
      ".gitattributes":
        "*.txt text eol=crlf\n*.id ident\n*.enc working-tree-encoding=UTF-16LE\n*.f filter=up\n*.bat text\n",
      "lf.txt": "a\nb\n",
      "crlf.txt": "a\r\nb\r\nc",
      "mixed.bat": "a\r\nb\nc\r\n",
      "x.id": "$Id$ $Id: kept $\n",
      "x.enc": "plain ascii\n",
      "x.f": "lower\n",
    };
    await using it = fixture({ git: true });
    write(it.base, {
      ".gitconfig": `[core]\n\tautocrlf = ${autocrlf}\n[filter "up"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n`,
    });
    write(it.project, files);
    const sandbox = await it.create();
    expect(treeOf(sandbox.root)).toEqual(treeOf(it.project));
    write(sandbox.root, { "crlf.txt": "a\r\nB\r\nc" });
    const { changeset } = await sandbox.compare();
    expect(changeset.files).toMatchObject([{ path: "crlf.txt", insertions: 1, deletions: 1 }]);
    await it.apply(sandbox);
    expect(readFileSync(join(it.project, "crlf.txt"), "utf8")).toBe("a\r\nB\r\nc");
    expect(treeOf(it.project)).toEqual(treeOf(sandbox.root));
  });

test("a link in the place of the sandbox's directory is not followed", async () => {
  await using it = fixture({ git: true });
  const sandbox = await it.create();
  rmSync(sandbox.root, { recursive: true });
  symlinkSync(it.project, sandbox.root);
  await expect(sandbox.restore(sandbox.baseTree)).rejects.toMatchObject({ reason: "SANDBOX_GONE" });
  await sandbox.dispose();
  expect(readFileSync(join(it.project, "a.txt"), "utf8")).toBe("one\n");
});

test("restoring does not follow links that a process left", async () => {
  await using it = fixture({ git: true, files: { "d/a.txt": "a\n" } });
  const victim = join(it.base, "victim");
  write(victim, { "a.txt": "victim\n", "more.txt": "victim\n" });
  const sandbox = await it.create();
  rmSync(join(sandbox.root, "d"), { recursive: true });
  symlinkSync(victim, join(sandbox.root, "d"));
  const files = (await sandbox.compare()).changeset.files.map((file) => `${file.op} ${file.path}`);
  expect(files).toEqual(["create d", "delete d/a.txt"]);
  await sandbox.restore(sandbox.baseTree);
  expect(readFileSync(join(sandbox.root, "d/a.txt"), "utf8")).toBe("a\n");
  expect(treeOf(victim)).toEqual({
    "a.txt": expect.stringContaining(""),
    "more.txt": expect.stringContaining(""),
  });
  expect(readFileSync(join(victim, "a.txt"), "utf8")).toBe("victim\n");
});

test("a directory that became a link to its renamed self is one link and one renamed file", async () => {
  await using it = fixture({ git: true, files: { "d/a.txt": "some content\n" } });
  const sandbox = await it.create();
  const { renameSync } = await import("node:fs");
  renameSync(join(sandbox.root, "d"), join(sandbox.root, "e"));
  symlinkSync("e", join(sandbox.root, "d"));
  const files = (await sandbox.compare()).changeset.files.map((file) => `${file.op} ${file.path}`);
  expect(files).toEqual(["create d", "rename e/a.txt"]);
  await it.apply(sandbox);
  expect(treeOf(it.project)).toEqual(treeOf(sandbox.root));
  rmSync(join(it.dataDir, "journal/done"), { recursive: true });
  expect(await it.apply(sandbox)).toEqual({ written: 0, deleted: 0 });
});

test("a link named .gitmodules is refused with its name", async () => {
  await using it = fixture({ git: true });
  const sandbox = await it.create();
  symlinkSync("a.txt", join(sandbox.root, ".gitmodules"));
  await expect(sandbox.compare()).rejects.toThrow(".gitmodules");
});
