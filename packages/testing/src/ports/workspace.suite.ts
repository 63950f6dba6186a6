import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, readFile, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Sandbox, type Workspace, WorkspaceError } from "@cleveragents/application";
import {
  BaseDriftError,
  ChangesetRefusedError,
  canonicalChangeset,
  DigestMismatchError,
} from "@cleveragents/domain";
import { describe, expect, test } from "vitest";

/** A workspace and a project for it, which holds `a.txt` ("one\ntwo\nthree\n"), `bin/run.sh` (755) and `dir/b.txt` ("b\n"). */
export interface WorkspaceHarness extends AsyncDisposable {
  readonly workspace: Workspace;
  /** Real path of the project. */
  readonly project: string;
  /** Another instance over the same data, as after a restart. */
  restarted(): Workspace;
}

export type OpenWorkspace = () => Promise<WorkspaceHarness>;

const PLAN = "01JWORKSPACE0000000000PLAN";
const never = new AbortController().signal;

async function opened(open: OpenWorkspace) {
  const harness = await open();
  const sandbox = await harness.workspace.create(PLAN, harness.project, never);
  const inSandbox = (path: string) => join(sandbox.root, path);
  const inProject = (path: string) => join(harness.project, path);
  const apply = async () => {
    const compared = await sandbox.compare();
    return await harness.workspace.apply(sandbox, {
      planId: PLAN,
      digest: compared.digest,
      toTree: compared.to,
    });
  };
  return {
    ...harness,
    sandbox,
    inSandbox,
    inProject,
    apply,
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
}

async function changesOf(sandbox: Sandbox): Promise<string[]> {
  return (await sandbox.compare()).changeset.files.map((file) => `${file.op} ${file.path}`);
}

/** What every `Workspace` owes, whatever its projects are kept in. */
export function workspaceSuite(open: OpenWorkspace): void {
  describe("Workspace", () => {
    sandboxTests(open);
    compareTests(open);
    restoreTests(open);
    applyTests(open);
    refusalTests(open);
    lifeTests(open);
  });
}

function sandboxTests(open: OpenWorkspace): void {
  test("a sandbox holds the project's files with contents and modes", async () => {
    await using it = await opened(open);
    expect(await readFile(it.inSandbox("a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    expect((await lstat(it.inSandbox("bin/run.sh"))).mode & 0o111).not.toBe(0);
    expect((await lstat(it.inSandbox("dir/b.txt"))).mode & 0o111).toBe(0);
  });

  test("a fresh sandbox differs in nothing from its base", async () => {
    await using it = await opened(open);
    const compared = await it.sandbox.compare();
    expect(compared.changeset.files).toEqual([]);
    expect(compared.from).toBe(it.sandbox.baseTree);
    expect(compared.to).toBe(it.sandbox.baseTree);
    expect(await compared.patch()).toBe("");
  });

  test("work in a sandbox leaves the project as it is", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "changed\n");
    await rm(it.inSandbox("dir"), { recursive: true });
    await it.sandbox.compare();
    expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    expect(await readFile(it.inProject("dir/b.txt"), "utf8")).toBe("b\n");
  });

  test("a path that is not there is PATH_NOT_FOUND", async () => {
    await using it = await open();
    await expect(it.workspace.inspect(join(it.project, "nowhere"))).rejects.toMatchObject({
      reason: "PATH_NOT_FOUND",
    });
  });

  test("a file is NOT_A_DIRECTORY", async () => {
    await using it = await open();
    await expect(it.workspace.inspect(join(it.project, "a.txt"))).rejects.toMatchObject({
      reason: "NOT_A_DIRECTORY",
    });
  });

  test("the root of the file system is FORBIDDEN_PATH", async () => {
    await using it = await open();
    await expect(it.workspace.create(PLAN, "/", never)).rejects.toMatchObject({ reason: "FORBIDDEN_PATH" });
  });

  test("an aborted creation rejects and leaves nothing to open", async () => {
    await using it = await open();
    const abort = new AbortController();
    const made = it.workspace.create(PLAN, it.project, abort.signal);
    abort.abort(new Error("enough"));
    await expect(made).rejects.toThrow("enough");
    const ref = { version: 1, baseTree: "0".repeat(40), nested: [], warnings: [] };
    await expect(it.workspace.open(PLAN, it.project, { kind: "git", ref })).rejects.toMatchObject({
      reason: "SANDBOX_GONE",
    });
  });
}

function compareTests(open: OpenWorkspace): void {
  test("edits, new files, deletions, modes and links appear, sorted by path", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "one\n2\nthree\n");
    await writeFile(it.inSandbox("Z.txt"), "new\n");
    await chmod(it.inSandbox("bin/run.sh"), 0o644);
    await rm(it.inSandbox("dir/b.txt"));
    await symlink("a.txt", it.inSandbox("link"));
    expect(await changesOf(it.sandbox)).toEqual([
      "create Z.txt",
      "modify a.txt",
      "modify bin/run.sh",
      "delete dir/b.txt",
      "create link",
    ]);
  });

  test("both sides carry mode, size and the SHA-256 of the content, and lines are counted", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "one\n2\nthree\nfour\n");
    const [file] = (await it.sandbox.compare()).changeset.files;
    const hash = (text: string) => createHash("sha256").update(text).digest("hex");
    expect(file).toEqual({
      path: "a.txt",
      op: "modify",
      before: { mode: "100644", sha256: hash("one\ntwo\nthree\n"), size: 14 },
      after: { mode: "100644", sha256: hash("one\n2\nthree\nfour\n"), size: 17 },
      binary: false,
      insertions: 2,
      deletions: 1,
    });
  });

  test("a renamed file is one rename", async () => {
    await using it = await opened(open);
    await rename(it.inSandbox("a.txt"), it.inSandbox("moved.txt"));
    const { files } = (await it.sandbox.compare()).changeset;
    expect(files).toMatchObject([
      { op: "rename", path: "moved.txt", previousPath: "a.txt", insertions: 0, deletions: 0 },
    ]);
  });

  test("the digest is that of the canonical changeset, and the same content has the same one", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "x\n");
    const first = await it.sandbox.compare();
    await writeFile(it.inSandbox("a.txt"), "y\n");
    const other = await it.sandbox.compare();
    await writeFile(it.inSandbox("a.txt"), "x\n");
    const again = await it.sandbox.compare();
    const text = canonicalChangeset(first.changeset.files);
    expect(first.digest).toBe(`sha256:${createHash("sha256").update(text).digest("hex")}`);
    expect(other.digest).not.toBe(first.digest);
    expect(again.digest).toBe(first.digest);
    expect(again.to).toBe(first.to);
  });

  test("risks name new links, new executables, binaries, large files and deletions", async () => {
    await using it = await opened(open);
    await symlink("a.txt", it.inSandbox("link"));
    await chmod(it.inSandbox("a.txt"), 0o755);
    await writeFile(it.inSandbox("large.bin"), Buffer.alloc(1024 * 1024 + 1));
    await rm(it.inSandbox("dir/b.txt"));
    const { risks } = (await it.sandbox.compare()).changeset;
    expect(risks.map((risk) => `${risk.kind} ${risk.path}`)).toEqual([
      "executable a.txt",
      "deletion dir/b.txt",
      "binary large.bin",
      "large large.bin",
      "symlink link",
    ]);
  });
}

function restoreTests(open: OpenWorkspace): void {
  test("restoring a checkpoint brings back contents, deletions and modes and removes what came since", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "checkpoint\n");
    const tree = await it.sandbox.checkpoint("first");
    await writeFile(it.inSandbox("a.txt"), "later\n");
    await rm(it.inSandbox("dir"), { recursive: true });
    await writeFile(it.inSandbox("dir"), "a file now");
    await chmod(it.inSandbox("bin/run.sh"), 0o644);
    await mkdir(it.inSandbox("more/deep"), { recursive: true });
    await writeFile(it.inSandbox("more/deep/x"), "x");
    await it.sandbox.restore(tree);
    expect(await readFile(it.inSandbox("a.txt"), "utf8")).toBe("checkpoint\n");
    expect(await readFile(it.inSandbox("dir/b.txt"), "utf8")).toBe("b\n");
    expect((await lstat(it.inSandbox("bin/run.sh"))).mode & 0o111).not.toBe(0);
    await expect(lstat(it.inSandbox("more"))).rejects.toThrow("ENOENT");
    expect(await it.sandbox.checkpoint("again")).toBe(tree);
  });

  test("restoring twice gives the same tree both times", async () => {
    await using it = await opened(open);
    const tree = await it.sandbox.checkpoint("start");
    for (const text of ["first", "second"]) {
      await writeFile(it.inSandbox("a.txt"), text);
      await it.sandbox.restore(tree);
      expect(await it.sandbox.checkpoint(text)).toBe(tree);
    }
  });

  test("an edit of the same size right after a checkpoint is not missed", async () => {
    await using it = await opened(open);
    const trees = new Set<string>();
    for (let round = 0; round < 8; round++) {
      await writeFile(it.inSandbox("a.txt"), `round ${round}\n`);
      trees.add(await it.sandbox.checkpoint(String(round)));
    }
    expect(trees.size).toBe(8);
  });
}

function applyTests(open: OpenWorkspace): void {
  test("applying writes contents, modes, links, renames and deletions, and nothing else", async () => {
    await using it = await opened(open);
    await writeFile(it.inProject("users-own.txt"), "mine\n");
    await writeFile(it.inSandbox("a.txt"), "new\n");
    await writeFile(it.inSandbox("data.bin"), Buffer.from([0, 255, 10, 13]));
    await mkdir(it.inSandbox("x/y"), { recursive: true });
    await rename(it.inSandbox("dir/b.txt"), it.inSandbox("x/y/b.txt"));
    await chmod(it.inSandbox("bin/run.sh"), 0o644);
    await symlink("a.txt", it.inSandbox("link"));
    expect(await it.apply()).toEqual({ written: 5, deleted: 1 });
    expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("new\n");
    expect(await readFile(it.inProject("data.bin"))).toEqual(Buffer.from([0, 255, 10, 13]));
    expect(await readFile(it.inProject("x/y/b.txt"), "utf8")).toBe("b\n");
    await expect(lstat(it.inProject("dir"))).rejects.toThrow("ENOENT");
    expect((await lstat(it.inProject("bin/run.sh"))).mode & 0o111).toBe(0);
    expect(await readlink(it.inProject("link"))).toBe("a.txt");
    expect(await readFile(it.inProject("users-own.txt"), "utf8")).toBe("mine\n");
  });

  test("a file takes the place of a directory, and a directory that of a file", async () => {
    await using it = await opened(open);
    await rm(it.inSandbox("dir"), { recursive: true });
    await writeFile(it.inSandbox("dir"), "file\n");
    await rm(it.inSandbox("a.txt"));
    await mkdir(it.inSandbox("a.txt"));
    await writeFile(it.inSandbox("a.txt/inner"), "inner\n");
    const files = await it.apply();
    expect(await readFile(it.inProject("dir"), "utf8")).toBe("file\n");
    expect(await readFile(it.inProject("a.txt/inner"), "utf8")).toBe("inner\n");
    expect(await it.apply()).toEqual(files);
  });

  test("another digest than the approved one is DigestMismatchError", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "seen\n");
    const seen = await it.sandbox.compare();
    await writeFile(it.inSandbox("a.txt"), "unseen\n");
    const toTree = await it.sandbox.checkpoint("later");
    const applied = it.workspace.apply(it.sandbox, { planId: PLAN, digest: seen.digest, toTree });
    await expect(applied).rejects.toThrow(DigestMismatchError);
    expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
  });

  test("a touched file that the user has changed is drift, and nothing is written", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await writeFile(it.inSandbox("c.txt"), "plan\n");
    await writeFile(it.inProject("a.txt"), "user\n");
    const { changeset } = await it.sandbox.compare();
    expect((await it.workspace.drift(it.sandbox, changeset)).map((file) => file.path)).toEqual(["a.txt"]);
    await expect(it.apply()).rejects.toThrow(BaseDriftError);
    expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("user\n");
    await expect(lstat(it.inProject("c.txt"))).rejects.toThrow("ENOENT");
  });

  test("a changed mode, a deleted file and a file where one is to be made are drift too", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await writeFile(it.inSandbox("dir/b.txt"), "plan\n");
    await writeFile(it.inSandbox("new.txt"), "plan\n");
    await chmod(it.inProject("a.txt"), 0o755);
    await rm(it.inProject("dir/b.txt"));
    await writeFile(it.inProject("new.txt"), "user\n");
    const { changeset } = await it.sandbox.compare();
    const drifted = await it.workspace.drift(it.sandbox, changeset);
    expect(drifted.map((file) => file.path)).toEqual(["a.txt", "dir/b.txt", "new.txt"]);
    expect(drifted[1]?.found).toBeNull();
    expect(drifted[2]?.expected).toBeNull();
  });

  test("a file that the user has made where a directory is needed is drift", async () => {
    await using it = await opened(open);
    await mkdir(it.inSandbox("made"));
    await writeFile(it.inSandbox("made/one.txt"), "plan\n");
    await writeFile(it.inSandbox("made/two.txt"), "plan\n");
    await writeFile(it.inProject("made"), "user\n");
    const { changeset } = await it.sandbox.compare();
    const drifted = await it.workspace.drift(it.sandbox, changeset);
    expect(drifted).toEqual([
      { path: "made", expected: null, found: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    await expect(it.apply()).rejects.toThrow(BaseDriftError);
    expect(await readFile(it.inProject("made"), "utf8")).toBe("user\n");
  });

  test("what the user has done already, all of it, is no drift and is left as it is", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await writeFile(it.inProject("a.txt"), "plan\n");
    const { changeset } = await it.sandbox.compare();
    expect(await it.workspace.drift(it.sandbox, changeset)).toEqual([]);
    expect(await it.apply()).toEqual({ written: 0, deleted: 0 });
  });

  test("a change of the user's elsewhere is kept", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await writeFile(it.inProject("dir/b.txt"), "user\n");
    expect(await it.apply()).toEqual({ written: 1, deleted: 0 });
    expect(await readFile(it.inProject("dir/b.txt"), "utf8")).toBe("user\n");
  });

  test("applying a second time changes nothing and answers what the first did", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await rm(it.inSandbox("dir/b.txt"));
    await it.apply();
    const before = await lstat(it.inProject("a.txt"));
    expect(await it.apply()).toEqual({ written: 1, deleted: 1 });
    expect((await lstat(it.inProject("a.txt"))).mtimeMs).toBe(before.mtimeMs);
  });

  test("an apply that has ended is remembered after a restart, and what the user does since stays", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    const { to, digest } = await it.sandbox.compare();
    await it.apply();
    await writeFile(it.inProject("a.txt"), "user\n");
    const again = it.restarted();
    const sandbox = await again.open(PLAN, it.project, it.sandbox.state);
    expect(await again.apply(sandbox, { planId: PLAN, digest, toTree: to })).toEqual({
      written: 1,
      deleted: 0,
    });
    expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("user\n");
  });

  test("an apply that found everything done is remembered too", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await writeFile(it.inProject("a.txt"), "plan\n");
    await it.apply();
    await writeFile(it.inProject("a.txt"), "user\n");
    expect(await it.apply()).toEqual({ written: 0, deleted: 0 });
    expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("user\n");
  });

  test("what was remembered of one changeset says nothing of another", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await it.apply();
    await writeFile(it.inSandbox("a.txt"), "another plan\n");
    await expect(it.apply()).rejects.toThrow(BaseDriftError);
  });
}

function refusalTests(open: OpenWorkspace): void {
  for (const target of ["/etc/passwd", "../outside", "dir/../../outside", "."]) {
    const refused = target !== ".";
    test(`a new link to ${target} is ${refused ? "refused" : "applied"}`, async () => {
      await using it = await opened(open);
      await writeFile(it.inSandbox("a.txt"), "plan\n");
      await symlink(target, it.inSandbox("escape"));
      if (!refused) return void (await it.apply());
      await expect(it.apply()).rejects.toThrow(ChangesetRefusedError);
      expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    });
  }

  test("a link that leaves the project only by way of another link is refused", async () => {
    await using it = await opened(open);
    await mkdir(it.inSandbox("x/y"), { recursive: true });
    await symlink("../..", it.inSandbox("x/y/hop"));
    await symlink("x/y/hop/../outside", it.inSandbox("escape"));
    await expect(it.apply()).rejects.toMatchObject({ name: "ChangesetRefusedError", path: "escape" });
  });

  test("a path that leads through a link of the user's is refused, and what it points to stays", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("dir/b.txt"), "plan\n");
    await rename(it.inProject("dir"), it.inProject("elsewhere"));
    await symlink("elsewhere", it.inProject("dir"));
    await expect(it.apply()).rejects.toThrow(ChangesetRefusedError);
    expect(await readFile(it.inProject("elsewhere/b.txt"), "utf8")).toBe("b\n");
  });
}

function lifeTests(open: OpenWorkspace): void {
  test("another process opens a sandbox by what is stored of it", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "kept\n");
    const before = await it.sandbox.compare();
    const state = JSON.parse(JSON.stringify(it.sandbox.state));
    const again = await it.restarted().open(PLAN, it.project, state);
    expect(again.root).toBe(it.sandbox.root);
    expect(again.baseTree).toBe(it.sandbox.baseTree);
    expect(again.state).toEqual(it.sandbox.state);
    expect((await again.compare()).digest).toBe(before.digest);
  });

  test("disposing twice is once, leaves the project, and opening afterwards is SANDBOX_GONE", async () => {
    await using it = await opened(open);
    await it.sandbox.dispose();
    await it.sandbox.dispose();
    await expect(lstat(it.sandbox.root)).rejects.toThrow("ENOENT");
    expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    const opening = it.workspace.open(PLAN, it.project, it.sandbox.state);
    await expect(opening).rejects.toThrow(WorkspaceError);
    await expect(opening).rejects.toMatchObject({ reason: "SANDBOX_GONE" });
    await expect(it.sandbox.checkpoint("too late")).rejects.toMatchObject({ reason: "SANDBOX_GONE" });
  });

  test("two plans of one project do not see each other", async () => {
    await using it = await opened(open);
    const other = await it.workspace.create("01JWORKSPACE000000000OTHER", it.project, never);
    await writeFile(it.inSandbox("a.txt"), "first\n");
    await writeFile(join(other.root, "dir/b.txt"), "second\n");
    expect(await changesOf(it.sandbox)).toEqual(["modify a.txt"]);
    expect(await changesOf(other)).toEqual(["modify dir/b.txt"]);
    await it.sandbox.dispose();
    expect(await changesOf(other)).toEqual(["modify dir/b.txt"]);
  });

  test("for whom something is kept is known in every process, until it is released", async () => {
    await using it = await opened(open);
    const other = it.restarted();
    expect(await other.holdings()).toEqual([PLAN]);
    expect(await other.heldSince(PLAN)).toEqual(expect.any(Number));
    expect(await other.release(PLAN)).toBe(true);
    expect(await it.workspace.holdings()).toEqual([]);
    expect(await it.workspace.heldSince(PLAN)).toBeUndefined();
    await expect(lstat(it.sandbox.root)).rejects.toThrow("ENOENT");
    await expect(it.sandbox.checkpoint("too late")).rejects.toMatchObject({ reason: "SANDBOX_GONE" });
    expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
  });

  test("the record of an apply is kept beyond its sandbox's directory, and released with it", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await it.apply();
    await rm(join(it.sandbox.root, ".."), { recursive: true });
    expect(await it.restarted().holdings()).toEqual([PLAN]);
    expect(await it.restarted().release(PLAN)).toBe(true);
    expect(await it.restarted().holdings()).toEqual([]);
    expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("plan\n");
  });

  test("releasing a plan for which nothing is kept succeeds", async () => {
    await using it = await open();
    expect(await it.workspace.holdings()).toEqual([]);
    expect(await it.workspace.release(PLAN)).toBe(true);
    expect(await it.workspace.heldSince(PLAN)).toBeUndefined();
  });

  test("tidying takes nothing from a plan that works", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "first\n");
    const tree = await it.sandbox.checkpoint("first");
    const gone = await it.workspace.create("01JWORKSPACE000000000OTHER", it.project, never);
    await gone.dispose();
    await it.restarted().tidy();
    await writeFile(it.inSandbox("a.txt"), "second\n");
    await it.sandbox.restore(tree);
    expect(await changesOf(it.sandbox)).toEqual(["modify a.txt"]);
    expect(await it.workspace.holdings()).toEqual([PLAN]);
  });

  test("recovery with nothing to recover says so", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await it.apply();
    expect(await it.restarted().recover()).toEqual([]);
  });
}
