import { lstat, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { never, type OpenWorkspace, opened, PLAN } from "./opened.ts";

/** What a sandbox is made of. */
export function creatingTests(open: OpenWorkspace): void {
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
