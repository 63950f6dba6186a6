import { chmod, lstat, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { BaseDriftError } from "@cleveragents/domain";
import { expect, test } from "vitest";
import { type OpenWorkspace, opened, PLAN } from "./opened.ts";

/** The inverse of an apply. */
export function undoingTests(open: OpenWorkspace): void {
  test("undo is the exact inverse: contents, modes, renames, links, deletions and new files", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await chmod(it.inSandbox("bin/run.sh"), 0o644);
    await mkdir(it.inSandbox("x"));
    await rename(it.inSandbox("dir/b.txt"), it.inSandbox("x/b.txt"));
    await symlink("a.txt", it.inSandbox("link"));
    const before = await it.sandbox.compare();
    await it.apply();
    const undo = await it.workspace.undo(PLAN, it.project);
    expect(undo?.changeset.stats).toMatchObject({
      files: before.changeset.stats.files,
      insertions: before.changeset.stats.deletions,
      deletions: before.changeset.stats.insertions,
    });
    if (undo === undefined) return;
    await it.applied(undo, "01JWORKSPACE0000000000UNDO");
    expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    expect((await lstat(it.inProject("bin/run.sh"))).mode & 0o111).not.toBe(0);
    expect(await readFile(it.inProject("dir/b.txt"), "utf8")).toBe("b\n");
    for (const path of ["x", "link"]) await expect(lstat(it.inProject(path))).rejects.toThrow("ENOENT");
  });

  test("nothing is to be undone before an apply, and of one that found everything done", async () => {
    await using it = await opened(open);
    expect(await it.workspace.undo(PLAN, it.project)).toBeUndefined();
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await writeFile(it.inProject("a.txt"), "plan\n");
    await it.apply();
    expect(await it.workspace.undo(PLAN, it.project)).toBeUndefined();
  });

  test("what undoes an apply is there after a restart, when the plan is released and the store was tidied", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await it.apply();
    const again = it.restarted();
    await again.release(PLAN);
    await again.tidy();
    const undo = await again.undo(PLAN, it.project);
    expect(undo?.changeset.files.map(({ path }) => path)).toEqual(["a.txt"]);
    expect(await undo?.patch()).toContain("-plan\n+one\n");
  });

  test("a change of the user's since is drift, and is not undone with the rest", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await rm(it.inSandbox("dir/b.txt"));
    await it.apply();
    await writeFile(it.inProject("a.txt"), "user\n");
    const undo = await it.workspace.undo(PLAN, it.project);
    if (undo === undefined) throw new Error("nothing is kept");
    await expect(it.applied(undo, "01JWORKSPACE0000000000UNDO")).rejects.toThrow(BaseDriftError);
    expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("user\n");
    await expect(lstat(it.inProject("dir/b.txt"))).rejects.toThrow("ENOENT");
  });

  test("an undo can be undone", async () => {
    await using it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    await it.apply();
    const undo = await it.workspace.undo(PLAN, it.project);
    if (undo === undefined) throw new Error("nothing is kept");
    await it.applied(undo, "01JWORKSPACE0000000000UNDO");
    const redo = await it.workspace.undo("01JWORKSPACE0000000000UNDO", it.project);
    if (redo === undefined) throw new Error("nothing is kept");
    await it.applied(redo, "01JWORKSPACE0000000000REDO");
    expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("plan\n");
  });
}
