import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { DigestMismatchError, MergeConflictError, SelectionError } from "@cleveragents/domain";
import { expect, test } from "vitest";
import { type OpenWorkspace, opened, PLAN } from "./opened.ts";

const pathsOf = (change: { changeset: { files: readonly { path: string }[] } } | undefined) =>
  change?.changeset.files.map((file) => file.path);

/** A harness whose plan has changed `a.txt` and `dir/b.txt`, and made `new/one.txt`. */
async function changed(open: OpenWorkspace) {
  const it = await opened(open);
  await writeFile(it.inSandbox("a.txt"), "plan\ntwo\nthree\n");
  await writeFile(it.inSandbox("dir/b.txt"), "plan\n");
  await mkdir(it.inSandbox("new"));
  await writeFile(it.inSandbox("new/one.txt"), "plan\n");
  const whole = await it.sandbox.compare();
  const select = async (
    more: { only?: readonly string[]; exclude?: readonly string[]; rebase?: boolean },
    digest = whole.digest,
  ) => await it.workspace.select(it.sandbox, { planId: PLAN, digest, ...more });
  return { ...it, whole, select, [Symbol.asyncDispose]: () => it[Symbol.asyncDispose]() };
}

/** Parts of a changeset, and merges with what the user has done since. */
export function selectingTests(open: OpenWorkspace): void {
  test("a part has a digest of its own, its rest another one, and applying it writes nothing else", async () => {
    await using it = await changed(open);
    const part = await it.select({ only: ["dir", "new/*.txt"] });
    expect(pathsOf(part)).toEqual(["dir/b.txt", "new/one.txt"]);
    expect(pathsOf(part.leftOut)).toEqual(["a.txt"]);
    expect(new Set([part.digest, part.leftOut?.digest, it.whole.digest]).size).toBe(3);
    expect(await part.patch()).not.toContain("a/a.txt");
    expect(await it.applied(part)).toEqual({ written: 2, deleted: 0 });
    expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    expect(await readFile(it.inProject("new/one.txt"), "utf8")).toBe("plan\n");
  });

  test("what is excluded wins over what is chosen; nothing chosen means all, and a glob that matches nothing is SelectionError", async () => {
    await using it = await changed(open);
    expect(pathsOf(await it.select({ only: ["*.txt"] }))).toEqual(["a.txt"]);
    expect(pathsOf(await it.select({ only: ["**"], exclude: ["new"] }))).toEqual(["a.txt", "dir/b.txt"]);
    const all = await it.select({});
    expect([all.digest, all.to, all.leftOut]).toEqual([it.whole.digest, it.whole.to, undefined]);
    for (const more of [
      { only: ["nowhere"] },
      { exclude: ["nowhere"] },
      { only: ["../outside"] },
      { only: ["dir"], exclude: ["dir"] },
    ])
      await expect(it.select(more)).rejects.toThrow(SelectionError);
  });

  test("a rename is taken whole, whichever of its names is chosen, and left whole if one is excluded", async () => {
    await using it = await opened(open);
    await rename(it.inSandbox("dir/b.txt"), it.inSandbox("moved.txt"));
    await writeFile(it.inSandbox("a.txt"), "plan\n");
    const { digest } = await it.sandbox.compare();
    const select = async (more: object) =>
      pathsOf(await it.workspace.select(it.sandbox, { planId: PLAN, digest, ...more }));
    expect(await select({ only: ["dir"] })).toEqual(["moved.txt"]);
    expect(await select({ exclude: ["dir"] })).toEqual(["a.txt"]);
  });

  test("a file and the folder whose place it takes go together", async () => {
    await using it = await opened(open);
    await rm(it.inSandbox("dir"), { recursive: true });
    await writeFile(it.inSandbox("dir"), "file\n");
    const { digest } = await it.sandbox.compare();
    const part = await it.workspace.select(it.sandbox, { planId: PLAN, digest, only: ["dir/b.txt"] });
    expect(pathsOf(part)).toEqual(["dir", "dir/b.txt"]);
  });

  test("a selection from another changeset than the sandbox holds is DigestMismatchError", async () => {
    await using it = await changed(open);
    await writeFile(it.inSandbox("a.txt"), "since then\n");
    await expect(it.select({ only: ["a.txt"] })).rejects.toThrow(DigestMismatchError);
  });

  test("a part can be applied after a restart, by its trees", async () => {
    await using it = await changed(open);
    const { from, to, digest } = await it.select({ only: ["a.txt"] });
    const again = it.restarted();
    await again.tidy();
    const target = { projectRoot: it.project, baseTree: from };
    expect(await again.apply(target, { planId: PLAN, digest, toTree: to })).toEqual({
      written: 1,
      deleted: 0,
    });
  });

  test("a merge takes both edits of one file, and names it", async () => {
    await using it = await changed(open);
    await writeFile(it.inProject("a.txt"), "one\ntwo\nthree\nuser\n");
    const merged = await it.select({ rebase: true });
    expect(merged.merged).toEqual(["a.txt"]);
    await it.applied(merged);
    expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("plan\ntwo\nthree\nuser\n");
  });

  test("edits of the same lines are MergeConflictError with every such file, and nothing is written", async () => {
    await using it = await changed(open);
    await writeFile(it.inProject("a.txt"), "user\ntwo\nthree\n");
    await rm(it.inProject("dir/b.txt"));
    const refused = await it.select({ rebase: true }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(MergeConflictError);
    expect((refused as MergeConflictError).conflicts.map(({ path }) => path)).toEqual(["a.txt", "dir/b.txt"]);
    expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("user\ntwo\nthree\n");
  });

  test("a change of the user's after the merge is drift", async () => {
    await using it = await changed(open);
    await writeFile(it.inProject("a.txt"), "one\ntwo\nthree\nuser\n");
    const merged = await it.select({ rebase: true });
    await writeFile(it.inProject("a.txt"), "one\ntwo\nthree\nuser again\n");
    await expect(it.applied(merged)).rejects.toMatchObject({ name: "BaseDriftError" });
  });
}
