import { createHash } from "node:crypto";
import { chmod, rename, rm, symlink, writeFile } from "node:fs/promises";
import { canonicalChangeset } from "@cleveragents/domain";
import { expect, test } from "vitest";
import { changesOf, type OpenWorkspace, opened } from "./opened.ts";

/** What a comparison finds. */
export function comparingTests(open: OpenWorkspace): void {
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
