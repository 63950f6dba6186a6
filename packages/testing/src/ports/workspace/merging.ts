import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { changesOf, never, type OpenWorkspace, opened, PLAN } from "./opened.ts";

const CHILD = "01JWORKSPACE000000000CHILD";
const GRANDCHILD = "01JWORKSPACE000000GRANDCHD";

/** Copies of copies, and what becomes of what they hold. */
export function mergingTests(open: OpenWorkspace): void {
  const derived = async () => {
    const it = await opened(open);
    await writeFile(it.inSandbox("a.txt"), "one\ntwo\nthree\nfour\nfive\n");
    const base = await it.sandbox.checkpoint("before");
    const { state, projectRoot } = it.sandbox;
    const child = await it.workspace.derive(CHILD, { planId: PLAN, projectRoot, state, tree: base }, never);
    const merge = async (theirs: string, side?: "ours" | "theirs") =>
      it.workspace.merge(it.sandbox, PLAN, { base, ours: await it.sandbox.checkpoint("now"), theirs, side });
    return { ...it, base, child, merge, [Symbol.asyncDispose]: () => it[Symbol.asyncDispose]() };
  };

  test("a copy that is made of another one begins with what that held, and is opened again as any other", async () => {
    await using it = await derived();
    expect(await readFile(`${it.child.root}/a.txt`, "utf8")).toContain("five");
    expect((await stat(`${it.child.root}/bin/run.sh`)).mode & 0o111).not.toBe(0);
    expect(it.child.baseTree).toBe(it.base);
    await writeFile(`${it.child.root}/new.txt`, "x");
    await writeFile(it.inSandbox("a.txt"), "other\n");
    expect(await changesOf(it.child)).toEqual(["create new.txt"]);
    const again = await it.restarted().open(CHILD, it.project, it.child.state);
    expect(await changesOf(again)).toEqual(["create new.txt"]);
  });

  test("a copy with a view holds what that shows; what it does not show stays as it is in all that comes of it", async () => {
    await using it = await opened(open);
    for (const name of ["seen", "unseen", "secret"]) {
      await mkdir(it.inSandbox(name));
      await writeFile(it.inSandbox(`${name}/f.txt`), `${name}\n`);
    }
    await writeFile(it.inSandbox("seen/large.bin"), Buffer.alloc(5000));
    const base = await it.sandbox.checkpoint("before");
    const { state, projectRoot } = it.sandbox;
    const view = { include: ["seen", "secret", "*.txt"], exclude: ["secret"], max_file_size: 4096 };
    const from = { planId: PLAN, projectRoot, state, tree: base };
    const child = await it.workspace.derive(CHILD, { ...from, view }, never);
    const names = async () => (await readdir(child.root, { recursive: true })).toSorted();
    expect(await names()).toEqual(["a.txt", "seen", "seen/f.txt"]);
    expect(child.state.warnings).toEqual(["it sees 2 of 7 files; the others stay as they are"]);
    expect(await changesOf(child)).toEqual([]);

    const again = await it.restarted().open(CHILD, it.project, child.state);
    await writeFile(`${child.root}/seen/f.txt`, "changed\n");
    const first = await again.checkpoint("first");
    expect(await changesOf(again)).toEqual(["modify seen/f.txt"]);
    // Of what it makes where something is that it does not see, it knows from then on.
    await mkdir(`${child.root}/unseen`);
    await writeFile(`${child.root}/unseen/f.txt`, "made\n");
    const second = await again.checkpoint("second");
    expect(await changesOf(again)).toEqual(["modify seen/f.txt", "modify unseen/f.txt"]);
    await again.restore(first);
    expect(await names()).toEqual(["a.txt", "seen", "seen/f.txt"]);
    await again.restore(second);
    expect(await names()).toEqual(["a.txt", "seen", "seen/f.txt", "unseen", "unseen/f.txt"]);
    expect(await changesOf(again)).toEqual(["modify seen/f.txt", "modify unseen/f.txt"]);
    await rm(`${child.root}/unseen`, { recursive: true });
    expect(await changesOf(again)).toEqual(["modify seen/f.txt", "delete unseen/f.txt"]);

    const below = { ...from, planId: CHILD, state: child.state, tree: first };
    const grandchild = await it.workspace.derive(GRANDCHILD, below, never);
    expect((await readdir(grandchild.root)).toSorted()).toEqual(["a.txt", "seen"]);
  });

  test("what was made in one is merged into the other, file by file and line by line", async () => {
    await using it = await derived();
    await writeFile(`${it.child.root}/a.txt`, "one\ntwo\nthree\nfour\nFIVE\n");
    await writeFile(`${it.child.root}/new.txt`, "x");
    await rm(`${it.child.root}/dir/b.txt`);
    const theirs = await it.child.checkpoint("done");
    await writeFile(it.inSandbox("a.txt"), "ONE\ntwo\nthree\nfour\nfive\n");
    const merged = await it.merge(theirs);
    expect(merged).toMatchObject({ merged: ["a.txt"], conflicts: [] });
    await it.workspace.release(CHILD);
    await it.sandbox.restore(merged.tree);
    expect(await readFile(it.inSandbox("a.txt"), "utf8")).toBe("ONE\ntwo\nthree\nfour\nFIVE\n");
    expect(await changesOf(it.sandbox)).toEqual(["modify a.txt", "delete dir/b.txt", "create new.txt"]);
  });

  test("what does not go together is told with the reason, and stands there with marks, or as the side that is named has it", async () => {
    await using it = await derived();
    await writeFile(`${it.child.root}/a.txt`, "one\nchild\nthree\nfour\nfive\n");
    await writeFile(`${it.child.root}/dir/b.txt`, "child\n");
    await writeFile(`${it.child.root}/both`, "child\n");
    const theirs = await it.child.checkpoint("done");
    await writeFile(it.inSandbox("a.txt"), "one\nplan\nthree\nfour\nfive\n");
    await rm(it.inSandbox("dir/b.txt"));
    await writeFile(it.inSandbox("both"), "plan\n");
    const told = await it.merge(theirs);
    expect(told.conflicts.map(({ path }) => path)).toEqual(["a.txt", "both", "dir/b.txt"]);
    await it.sandbox.restore(told.tree);
    expect(await readFile(it.inSandbox("a.txt"), "utf8")).toMatch(
      /<<<<<<< .*\nplan\n(.*\n)?=======\nchild\n>>>>>>> /s,
    );
  });

  test("with a side named nothing is told, and that side's file is there", async () => {
    await using it = await derived();
    await writeFile(`${it.child.root}/a.txt`, "theirs\n");
    const theirs = await it.child.checkpoint("done");
    for (const side of ["ours", "theirs"] as const) {
      await writeFile(it.inSandbox("a.txt"), "ours\n");
      const merged = await it.merge(theirs, side);
      expect(merged.conflicts).toEqual([]);
      await it.sandbox.restore(merged.tree);
      expect(await readFile(it.inSandbox("a.txt"), "utf8")).toBe(`${side}\n`);
    }
  });

  test("a tree that another plan has left is kept for as long as the one that it is kept for", async () => {
    await using it = await derived();
    await writeFile(`${it.child.root}/new.txt`, "kept\n");
    const tree = await it.child.checkpoint("done");
    await it.workspace.keep(PLAN, it.project, tree);
    await it.workspace.release(CHILD);
    await it.sandbox.restore(tree);
    expect(await readFile(it.inSandbox("new.txt"), "utf8")).toBe("kept\n");
    await it.workspace.release(PLAN);
    expect(await it.workspace.holdings()).not.toContain(PLAN);
  });

  test("a folder on one side and a file of its name on the other do not go together", async () => {
    await using it = await derived();
    await writeFile(`${it.child.root}/thing`, "file\n");
    const theirs = await it.child.checkpoint("done");
    await mkdir(it.inSandbox("thing"));
    await writeFile(it.inSandbox("thing/inner"), "x");
    const told = await it.merge(theirs);
    expect(told.conflicts).toMatchObject([{ path: "thing" }]);
    const { tree } = await it.merge(theirs, "theirs");
    await it.sandbox.restore(tree);
    expect(await readFile(it.inSandbox("thing"), "utf8")).toBe("file\n");
    // The other way round.
    await rm(`${it.child.root}/thing`);
    await mkdir(`${it.child.root}/thing`);
    await writeFile(`${it.child.root}/thing/inner`, "x");
    const folder = await it.child.checkpoint("a folder");
    expect((await it.merge(folder)).conflicts).toMatchObject([{ path: "thing/inner" }]);
    await it.sandbox.restore((await it.merge(folder, "theirs")).tree);
    expect(await readFile(it.inSandbox("thing/inner"), "utf8")).toBe("x");
  });

  test("a file that one has moved is gone from where it was, also where that one's side counts", async () => {
    await using it = await derived();
    await rename(`${it.child.root}/a.txt`, `${it.child.root}/moved.txt`);
    const moved = await it.child.checkpoint("moved");
    await writeFile(it.inSandbox("dir/b.txt"), "plan\n");
    await it.sandbox.restore((await it.merge(moved)).tree);
    expect((await readdir(it.sandbox.root)).toSorted()).toEqual(["bin", "dir", "moved.txt"]);
    await writeFile(`${it.child.root}/moved.txt`, "one\ntwo\nthree\nfour\ntheirs\n");
    const theirs = await it.child.checkpoint("changed, too");
    await it.sandbox.restore(it.base);
    await writeFile(it.inSandbox("a.txt"), "one\ntwo\nthree\nfour\nours\n");
    expect((await it.merge(theirs)).conflicts).toMatchObject([{ path: "a.txt" }]);
    await it.sandbox.restore((await it.merge(theirs, "theirs")).tree);
    expect((await readdir(it.sandbox.root)).toSorted()).toEqual(["bin", "dir", "moved.txt"]);
  });

  test("no marks are put into links, and a copy cannot be made of a tree that is not there", async () => {
    await using it = await derived();
    await symlink("a.txt", `${it.child.root}/both`);
    await writeFile(it.inSandbox("both"), "plan\n");
    const told = await it.merge(await it.child.checkpoint("a link"));
    expect(told.conflicts).toMatchObject([{ path: "both" }]);
    await it.sandbox.restore(told.tree);
    expect(await readFile(it.inSandbox("both"), "utf8")).toBe("plan\n");
    const { state, projectRoot } = it.sandbox;
    const from = { planId: PLAN, projectRoot, state, tree: "1".repeat(40) };
    await expect(it.workspace.derive(GRANDCHILD, from, never)).rejects.toMatchObject({
      reason: "SANDBOX_GONE",
    });
  });
}
