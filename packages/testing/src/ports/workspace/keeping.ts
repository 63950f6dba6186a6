import { lstat, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { WorkspaceError } from "@cleveragents/application";
import { expect, test } from "vitest";
import { changesOf, never, type OpenWorkspace, opened, PLAN } from "./opened.ts";

/** What is kept for a plan, and how long. */
export function keepingTests(open: OpenWorkspace): void {
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

  test("what is kept weighs what its own files take, in every process, and nothing once it is released", async () => {
    await using it = await opened(open);
    const before = await it.workspace.weigh(PLAN);
    expect(before.files).toBeGreaterThanOrEqual(3);
    await writeFile(it.inSandbox("large.bin"), Buffer.alloc(300_000, 7));
    const after = await it.restarted().weigh(PLAN);
    expect(after.files).toBe(before.files + 1);
    expect(after.bytes - before.bytes).toBeGreaterThanOrEqual(300_000);
    await it.workspace.release(PLAN);
    expect(await it.workspace.weigh(PLAN)).toEqual({ bytes: 0, files: 0 });
  });

  test("a plan for which nothing is kept weighs nothing", async () => {
    await using it = await open();
    expect(await it.workspace.weigh(PLAN)).toEqual({ bytes: 0, files: 0 });
  });
}
