import { chmod, lstat, mkdir, readFile, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { BaseDriftError, DigestMismatchError } from "@cleveragents/domain";
import { expect, test } from "vitest";
import { type OpenWorkspace, opened, PLAN } from "./opened.ts";

/** Writing a changeset into the project. */
export function applyingTests(open: OpenWorkspace): void {
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
    expect(await it.workspace.drift(it.sandbox, (await it.sandbox.compare()).changeset)).toEqual([]);
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

  test("a project that was moved away is neither drift nor written anew at its old place", async () => {
    await using it = await opened(open);
    await mkdir(it.inSandbox("new"));
    await writeFile(it.inSandbox("new/c.txt"), "plan\n");
    const { changeset } = await it.sandbox.compare();
    await rename(it.project, `${it.project}-moved`);
    const gone = { reason: "PATH_NOT_FOUND", message: expect.stringContaining(it.project) };
    await expect(it.workspace.drift(it.sandbox, changeset)).rejects.toMatchObject(gone);
    await expect(it.apply()).rejects.toMatchObject(gone);
    await expect(lstat(it.project)).rejects.toThrow("ENOENT");
    await rename(`${it.project}-moved`, it.project);
    expect(await it.apply()).toEqual({ written: 1, deleted: 0 });
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

  test("what the user keeps in a folder that is to become a file is drift, a repository of theirs too", async () => {
    await using it = await opened(open);
    await rm(it.inSandbox("dir"), { recursive: true });
    await writeFile(it.inSandbox("dir"), "file\n");
    for (const own of ["own.txt", ".git/HEAD"]) {
      await mkdir(dirname(it.inProject(`dir/${own}`)), { recursive: true });
      await writeFile(it.inProject(`dir/${own}`), "user\n");
      const { changeset } = await it.sandbox.compare();
      const drifted = await it.workspace.drift(it.sandbox, changeset);
      expect(drifted.map(({ path }) => path)).toEqual(["dir"]);
      await expect(it.apply()).rejects.toThrow(BaseDriftError);
      expect(await readFile(it.inProject(`dir/${own}`), "utf8")).toBe("user\n");
      expect(await readFile(it.inProject("dir/b.txt"), "utf8")).toBe("b\n");
      await rm(it.inProject(`dir/${own.split("/")[0]}`), { recursive: true });
    }
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
