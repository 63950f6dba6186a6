import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { ChangesetRefusedError } from "@cleveragents/domain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenWorkspace, opened } from "./opened.ts";

/** Changesets that would leave the project. */
export function refusingTests(open: OpenWorkspace): void {
  describe("of links in one copy", () => {
    let it: Awaited<ReturnType<typeof opened>>;
    beforeAll(async () => {
      it = await opened(open);
      await writeFile(it.inSandbox("a.txt"), "plan\n");
    });
    afterAll(() => it[Symbol.asyncDispose]());
    const linkTo = async (target: string) => {
      await rm(it.inSandbox("escape"), { force: true });
      await symlink(target, it.inSandbox("escape"));
    };

    for (const target of ["/etc/passwd", "../outside", "dir/../../outside", ".git/config", "dir/.GIT"]) {
      test(`a new link to ${target} is refused`, async () => {
        await linkTo(target);
        await expect(it.apply()).rejects.toThrow(ChangesetRefusedError);
        expect(await readFile(it.inProject("a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
      });
    }

    test("a link that leads in a circle is refused", async () => {
      await symlink("escape", it.inSandbox("circle"));
      await linkTo("circle");
      await expect(it.apply()).rejects.toThrow("in a circle");
      await rm(it.inSandbox("circle"));
    });

    test("a link that leaves the project only by way of another link is refused", async () => {
      await mkdir(it.inSandbox("x/y"), { recursive: true });
      await symlink("../..", it.inSandbox("x/y/hop"));
      await linkTo("x/y/hop/../outside");
      await expect(it.apply()).rejects.toMatchObject({ name: "ChangesetRefusedError", path: "escape" });
      await rm(it.inSandbox("x"), { recursive: true });
    });

    test("a link that leaves the project by way of one that the user has made since is refused", async () => {
      await symlink("../..", it.inProject("bin/hop"));
      await linkTo("bin/hop/outside");
      await expect(it.apply()).rejects.toMatchObject({ name: "ChangesetRefusedError", path: "escape" });
    });

    test("one that stays inside is applied", async () => {
      await linkTo(".");
      await it.apply();
      expect(await readFile(it.inProject("escape/a.txt"), "utf8")).toBe("plan\n");
    });
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
