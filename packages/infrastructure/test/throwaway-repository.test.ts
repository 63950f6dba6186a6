import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { CommandRequest, Sandbox } from "@cleveragents/application";
import { describe, expect, test } from "vitest";
import { BubblewrapLauncher } from "../src/bubblewrap/index.ts";
import { ThrowawayRepositories } from "../src/git/index.ts";
import { ProcessCommandRunner } from "../src/process/index.ts";
import { type Fixture, fixture, git, never, userEnv, userState, write } from "./git-fixtures.ts";
import { isolationHere } from "./isolation-here.ts";

const isolation = await isolationHere();

function runnerFor(it: Fixture, isolated: boolean) {
  const env = { ...userEnv(it.base), LC_ALL: "C.UTF-8" };
  const launcher = isolated ? { isolation: new BubblewrapLauncher({ env, hidden: [it.dataDir] }) } : {};
  const runner = new ProcessCommandRunner({
    env,
    ...launcher,
    repositories: new ThrowawayRepositories({ env }),
  });
  return async (sandbox: Sandbox, command: CommandRequest["command"], more: Partial<CommandRequest> = {}) => {
    const { stdout, stderr } = await runner.run({
      command,
      root: sandbox.root,
      projectRoot: sandbox.projectRoot,
      timeoutMs: 60_000,
      network: false,
      signal: never,
      ...more,
    });
    return stdout + stderr;
  };
}

/** A script that leaves a trace if anything outside of the sandbox runs it. */
function trap(it: Fixture): { readonly program: string; readonly sprung: () => boolean } {
  const trace = path.join(it.base, "sprung");
  const program = path.join(it.base, "trap");
  writeFileSync(program, `#!/bin/sh\ntouch ${trace}\ncat\n`);
  chmodSync(program, 0o755);
  return { program, sprung: () => existsSync(trace) };
}

const levels = [
  { level: "none", isolated: false, works: true },
  { level: "full", isolated: true, works: isolation.works },
];

// The strongest there is: what a repository is made of does not depend on it.
describe.each(levels.filter(({ works }) => works).slice(-1))("a command at level $level", ({ isolated }) => {
  test("finds a repository with the project's HEAD, in which it sees what was changed since", async () => {
    await using it = fixture({
      git: true,
      files: { "a.txt": "one\n", "b.txt": "b\n", ".gitignore": "out\n" },
    });
    const head = git(it.project, "rev-parse", "HEAD");
    write(it.project, { "a.txt": "two\n", "out/o": "x", "mine.log": "x", ".git/info/exclude": "*.log\n" });
    const run = runnerFor(it, isolated);
    const sandbox = await it.create();
    write(sandbox.root, { "made.txt": "made\n", "out/made": "x" });
    expect(
      await run(sandbox, "git status --porcelain && git log --format=%H && git branch --show-current"),
    ).toBe(` M a.txt\n?? made.txt\n${head}main\n`);
    expect(await run(sandbox, "git diff --stat -- a.txt && git show HEAD:b.txt && git fsck --full")).toMatch(
      /1 insertion\(\+\), 1 deletion\(-\)\nb\n$/,
    );
    mkdirSync(path.join(sandbox.root, "deep/down"), { recursive: true });
    const seen = isolated ? it.project : sandbox.root;
    expect(await run(sandbox, "git rev-parse --show-toplevel", { cwd: "deep/down" })).toBe(`${seen}\n`);
  });

  test("finds nothing else of the user's in it", async () => {
    await using it = fixture({ git: true });
    write(it.base, { included: "[alias]\n\tevil = !true\n", ".gitconfig": "[alias]\n\tmine = log\n" });
    git(it.project, "remote", "add", "origin", "https://user:hunter2-hunter2@example.invalid/x.git");
    git(it.project, "config", "include.path", "../../included");
    git(it.project, "config", "user.email", "somebody@example.invalid");
    write(it.project, { ".git/hooks/pre-commit": "#!/bin/sh\nexit 1\n", "secret.txt": "hunter2\n" });
    git(it.project, "add", "secret.txt");
    git(it.project, "-c", "core.hooksPath=/dev/null", "commit", "-qm", "with a secret");
    git(it.project, "-c", "core.hooksPath=/dev/null", "tag", "v1");
    const secret = git(it.project, "rev-parse", "HEAD").trim();
    git(it.project, "rm", "-q", "secret.txt");
    git(it.project, "-c", "core.hooksPath=/dev/null", "commit", "-qm", "without");
    const run = runnerFor(it, isolated);
    const sandbox = await it.create();
    const told = await run(
      sandbox,
      `git remote -v; git config --local --list; ls .git/hooks; git log --all -p; git tag; git stash list; git show ${secret}:secret.txt; grep -rc hunter2 .git | grep -v ':0$'`,
    );
    expect(told).toContain("without");
    expect(told).not.toMatch(/hunter2|example\.invalid|alias|include|pre-commit|v1/);
  });

  test("commits, resets and configures there, and the user's repository and the diff know nothing of it", async () => {
    await using it = fixture({ git: true, files: { "a.txt": "one\n" } });
    const run = runnerFor(it, isolated);
    const sandbox = await it.create();
    const before = userState(it.project);
    const told = await run(
      sandbox,
      "echo two > a.txt && git commit -qam two && git tag v2 && git checkout -qb other && git config core.editor vi && git gc -q && git log --oneline | wc -l && git rev-parse v2^ && git branch --list",
    );
    expect(told).toBe(`2\n${git(it.project, "rev-parse", "HEAD")}  main\n* other\n`);
    expect(userState(it.project)).toEqual(before);
    const { changeset } = await sandbox.compare();
    expect(changeset.files.map((file) => file.path)).toEqual(["a.txt"]);
    await it.apply(sandbox);
    expect(git(it.project, "log", "--oneline").trim().split("\n")).toHaveLength(1);
    expect(git(it.project, "tag")).toBe("");
  });

  test("sets a version with npm, which commits and tags", async () => {
    const files = { "package.json": '{ "name": "x", "version": "1.0.0" }\n' };
    await using it = fixture({ git: true, files });
    const sandbox = await it.create();
    const told = await runnerFor(it, isolated)(
      sandbox,
      "npm version --no-update-notifier patch; git log --format=%s; git tag",
    );
    expect(told).toMatch(/^v1\.0\.1\n1\.0\.1\nstart\nv1\.0\.1\n$/);
  });

  test("that plants programs in it makes nobody outside run them", async () => {
    await using it = fixture({ git: true, files: { "a.txt": "one\n", "b.txt": "b\n" } });
    const { program, sprung } = trap(it);
    const run = runnerFor(it, isolated);
    const sandbox = await it.create();
    await run(sandbox, "git status");
    const included = path.join(sandbox.root, "included");
    const config = `[core]\n\tfsmonitor = ${program}\n\thooksPath = ${sandbox.root}/hooks\n\tsshCommand = ${program}\n\tpager = ${program}\n[filter "x"]\n\tclean = ${program}\n\tsmudge = ${program}\n\tprocess = ${program}\n\trequired = true\n[diff]\n\texternal = ${program}\n[diff "x"]\n\ttextconv = ${program}\n[merge "x"]\n\tdriver = ${program}\n[includeIf "gitdir:**"]\n\tpath = ${included}\n`;
    write(sandbox.root, {
      ".git/config": config,
      ".git/info/attributes": "* filter=x diff=x merge=x\n",
      ".gitattributes": "* filter=x diff=x merge=x\n",
      included: `[core]\n\tfsmonitor = ${program}\n\tworktree = ${it.project}\n`,
      "a.txt": "two\n",
    });
    for (const hook of ["post-checkout", "post-index-change", "reference-transaction", "pre-commit"]) {
      write(sandbox.root, {
        [`hooks/${hook}`]: readFileSync(program),
        [`.git/hooks/${hook}`]: readFileSync(program),
      });
      chmodSync(path.join(sandbox.root, "hooks", hook), 0o755);
      chmodSync(path.join(sandbox.root, ".git/hooks", hook), 0o755);
    }
    await run(sandbox, "true");
    const compared = await sandbox.compare();
    await compared.patch();
    await sandbox.checkpoint("x");
    await it.workspace.weigh("PLAN");
    await it.apply(sandbox);
    await sandbox.restore(compared.to);
    await run(sandbox, "true");
    expect(compared.changeset.files.map((file) => file.path)).not.toContain(".git/config");
    expect(sprung()).toBe(false);
  });

  test("that puts a way to the user's repository in its place gains nothing for later", async () => {
    await using it = fixture({ git: true, files: { "a.txt": "one\n" } });
    const run = runnerFor(it, isolated);
    const sandbox = await it.create();
    const before = userState(it.project);
    await run(sandbox, `rm -rf .git; ln -s '${it.project}/.git' .git; echo two > a.txt`);
    await run(sandbox, "true");
    expect((await sandbox.compare()).changeset.files.map((file) => file.path)).toEqual(["a.txt"]);
    await sandbox.restore(sandbox.baseTree);
    expect(userState(it.project)).toEqual(before);
    expect(await run(sandbox, "git log --format=%s; git status --porcelain")).toBe("start\n");
  });

  test("finds none where the project has none", async () => {
    await using it = fixture({ git: false });
    const sandbox = await it.create();
    expect(await runnerFor(it, isolated)(sandbox, "git status")).toMatch(/not a git repository/);
    expect(existsSync(path.join(sandbox.root, ".git"))).toBe(false);
  });
});

describe("the repository that commands find", () => {
  test.skipIf(!isolation.works)("is only to be read where the copy is", async () => {
    await using it = fixture({ git: true, files: { "a.txt": "one\n" } });
    const run = runnerFor(it, true);
    const sandbox = await it.create();
    write(sandbox.root, { "a.txt": "two\n" });
    const told = await run(sandbox, "git status --porcelain; git commit -qam two; git log --format=%s", {
      readOnly: true,
    });
    expect(told).toMatch(/^ M a\.txt\nstart\n/);
    expect(told).toMatch(/Read-only file system/);
  });

  test("has the commit that the plan's copy was made of, also when the user goes on", async () => {
    await using it = fixture({ git: true, files: { "a.txt": "one\n" } });
    const sandbox = await it.create();
    write(it.project, { "a.txt": "two\n" });
    git(it.project, "commit", "-qam", "later");
    expect(await runnerFor(it, false)(sandbox, "git log --format=%s; git status --porcelain")).toBe(
      "start\n",
    );
  });

  test("begins anew when a checkpoint is restored", async () => {
    await using it = fixture({ git: true });
    const run = runnerFor(it, false);
    const sandbox = await it.create();
    await run(sandbox, "git commit -q --allow-empty -m mine");
    await sandbox.restore(sandbox.baseTree);
    expect(await run(sandbox, "git log --format=%s")).toBe("start\n");
  });

  test.each([
    [
      "without commits",
      (it: Fixture) => void rmSync(path.join(it.project, ".git/refs/heads/main")),
      "?? a.txt\n",
      "main",
    ],
    [
      "with a commit checked out",
      (it: Fixture) => void git(it.project, "checkout", "-q", "--detach"),
      "",
      "",
    ],
    [
      "on a branch with an odd name",
      (it: Fixture) => void git(it.project, "checkout", "-qb", 'a/b"c'),
      "",
      "",
    ],
    [
      "on a branch in a folder",
      (it: Fixture) => void git(it.project, "checkout", "-qb", "a/b.c"),
      "",
      "a/b.c",
    ],
    [
      "whose files lie otherwise than they are recorded",
      (it: Fixture) => {
        git(it.project, "config", "core.autocrlf", "true");
        write(it.project, { "a.txt": "one\r\n" });
      },
      "",
      "main",
    ],
  ])("is made of one %s", async (_, change, status, branch) => {
    await using it = fixture({ git: true });
    change(it);
    const sandbox = await it.create();
    const told = await runnerFor(it, false)(sandbox, "git status --porcelain; git branch --show-current");
    expect(told).toBe(status + (branch === "" ? "" : `${branch}\n`));
  });

  test("is made of a linked work tree, of one that borrows its objects, and of one with SHA-256", async () => {
    await using it = fixture({ git: true });
    git(it.project, "worktree", "add", "-q", "-b", "linked", path.join(it.base, "linked"));
    git(it.base, "clone", "-q", "--shared", it.project, path.join(it.base, "with:colon"));
    git(it.base, "init", "-q", "--object-format=sha256", path.join(it.base, "sha256"));
    git(path.join(it.base, "sha256"), "commit", "-q", "--allow-empty", "-m", "start");
    for (const name of ["linked", "with:colon", "sha256"]) {
      const project = path.join(it.base, name);
      const sandbox = await it.workspace.create(name.replace(":", "_"), project, never);
      expect(await runnerFor(it, false)(sandbox, "git log --format=%s; git status --porcelain"), name).toBe(
        "start\n",
      );
    }
  });

  test("is missing, and commands run all the same, where its commit is gone", async () => {
    await using it = fixture({ git: true });
    const sandbox = await it.create();
    rmSync(path.join(it.project, ".git/objects"), { recursive: true });
    mkdirSync(path.join(it.project, ".git/objects"));
    expect(await runnerFor(it, false)(sandbox, "echo ran; git status")).toMatch(
      /^ran\n.*not a git repository/,
    );
    expect(readdirSync(path.dirname(sandbox.root)).filter((name) => name.startsWith("repository."))).toEqual(
      [],
    );
  });
});
