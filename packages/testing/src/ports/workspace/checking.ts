import { lstat, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { type OpenWorkspace, opened, PLAN } from "./opened.ts";

async function checked(open: OpenWorkspace) {
  const it = await opened(open);
  const check = async (more: { digest?: string; toTree?: string } = {}) => {
    const { digest, to } = await it.sandbox.compare();
    return await it.workspace.check(it.sandbox, { planId: PLAN, digest, toTree: to, ...more });
  };
  return { ...it, check, [Symbol.asyncDispose]: () => it[Symbol.asyncDispose]() };
}

/** Everything that an apply would find, without one. */
export function checkingTests(open: OpenWorkspace): void {
  test("a check writes nothing, keeps nothing that could be undone, and the apply goes on as if there had been none", async () => {
    await using it = await checked(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await writeFile(it.inSandbox("c.txt"), "plan\n");
    expect(await it.check()).toEqual([]);
    expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    await expect(lstat(it.inProject("c.txt"))).rejects.toThrow("ENOENT");
    expect(await it.workspace.undo(PLAN, it.project)).toBeUndefined();
    expect(await it.apply()).toEqual({ written: 2, deleted: 0 });
  });

  test("it names the files that are already as they would be", async () => {
    await using it = await checked(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await rm(it.inSandbox("dir/b.txt"));
    await writeFile(it.inProject("a.txt"), "plan\n");
    await rm(it.inProject("dir/b.txt"));
    expect(await it.check()).toEqual(["a.txt", "dir/b.txt"]);
  });

  test.each([
    [
      "drift",
      "BaseDriftError",
      async (it: { inProject(path: string): string }) => await writeFile(it.inProject("a.txt"), "user\n"),
    ],
    [
      "a link that leads out",
      "ChangesetRefusedError",
      async (it: { inSandbox(path: string): string }) => await symlink("/etc/passwd", it.inSandbox("out")),
    ],
  ] as const)("it refuses %s as the apply does", async (_, name, prepare) => {
    await using it = await checked(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await prepare(it);
    await expect(it.check()).rejects.toMatchObject({ name });
    await expect(it.apply()).rejects.toMatchObject({ name });
  });

  test("another digest, and a tree that is not there, are refused", async () => {
    await using it = await checked(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await expect(it.check({ digest: `sha256:${"0".repeat(64)}` })).rejects.toMatchObject({
      name: "DigestMismatchError",
    });
    for (const toTree of ["0".repeat(39).concat("1"), "--all", "refs/heads/x"])
      await expect(it.check({ toTree })).rejects.toMatchObject({ reason: "GIT_FAILED" });
  });
}
