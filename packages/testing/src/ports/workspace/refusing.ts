import { mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { ChangesetRefusedError } from "@cleveragents/domain";
import { expect, test } from "vitest";
import { type OpenWorkspace, opened } from "./opened.ts";

/** Changesets that would leave the project. */
export function refusingTests(open: OpenWorkspace): void {
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
