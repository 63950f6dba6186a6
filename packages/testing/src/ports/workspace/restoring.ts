import { chmod, lstat, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { type OpenWorkspace, opened } from "./opened.ts";

/** Going back to a checkpoint. */
export function restoringTests(open: OpenWorkspace): void {
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
