import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChangesetRefusedError, type FileSide } from "@cleveragents/domain";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { refuseEscapes } from "./apply-refusal.ts";
import type { TouchedPath } from "./touched-paths.ts";

const FILE: FileSide = { mode: "100644", sha256: "0".repeat(64), size: 1 };
const LINK: FileSide = { ...FILE, mode: "120000" };

let base: string;
let root: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "refusal-")));
  root = join(base, "repo");
});
beforeEach(() => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, "dir"), { recursive: true });
  writeFileSync(join(root, "dir/file"), "x");
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** What a changeset does: `null` deletes, a text makes a link to it, `true` a file. */
type Does = Readonly<Record<string, string | true | null>>;

const refused = (does: Does, leaveOut: string | null = null) => {
  const touched = Object.entries(does).map(
    ([path, after]): TouchedPath => ({
      path,
      before: after === null ? FILE : null,
      after: after === null ? null : after === true ? FILE : LINK,
    }),
  );
  const links = new Map(
    Object.entries(does).filter((one): one is [string, string] => typeof one[1] === "string"),
  );
  return refuseEscapes({ planId: "PLAN", root, leaveOut, touched, links });
};

describe("a changeset is refused, whatever made it, that writes", () => {
  test.each(["", "/etc/passwd", "../outside", "dir/../../outside", "dir//file", "./dir", "dir/", "..", "."])(
    'to "%s", which is no path inside the project',
    async (path) => {
      await expect(refused({ [path]: true })).rejects.toThrow("is not a path inside the project");
    },
  );

  test.each([".git/config", "sub/.git", ".GIT/hooks/pre-commit", ".g\u200cit/config", "sub/.\ufeffgiT/x"])(
    "to %s, which is a repository's own data",
    async (path) => {
      await expect(refused({ [path]: true })).rejects.toThrow("a repository's own data");
      await expect(refused({ [path]: null })).rejects.toThrow(ChangesetRefusedError);
    },
  );

  test("into the data directory, where that lies in the project", async () => {
    for (const path of [".agents", ".agents/journal/x"])
      await expect(refused({ [path]: true }, ".agents")).rejects.toThrow("lies in the data directory");
    await expect(refused({ ".agents-too": true }, ".agents")).resolves.toBeUndefined();
  });

  test("through a link of the user's, at any depth, unless the change itself takes it away", async () => {
    symlinkSync("dir", join(root, "way"));
    for (const path of ["way/file", "way/deep/er"]) {
      await expect(refused({ [path]: true })).rejects.toThrow("leads through the link way");
      await expect(refused({ [path]: null })).rejects.toThrow("leads through the link way");
    }
    await expect(refused({ way: "elsewhere", "way/file": true })).rejects.toThrow("through the link");
    await expect(refused({ way: null, "way/file": true })).resolves.toBeUndefined();
  });
});

describe("a link is refused that would lead out", () => {
  test("to an absolute place, to one with the project's name at the beginning of its own too", async () => {
    for (const target of ["/etc/passwd", "/", `${root}-old/x`, base, `${root}/../outside`])
      for (const path of ["link", "dir/link"])
        await expect(refused({ [path]: target }), target).rejects.toThrow("leaves the project");
    for (const target of [root, `${root}/`, `${root}/dir/file`, `${root}/not/there`])
      await expect(refused({ "dir/link": target }), target).resolves.toBeUndefined();
  });

  test("by going up further than it is deep", async () => {
    await expect(refused({ "dir/link": "../../x" })).rejects.toThrow("leaves the project");
    await expect(refused({ "dir/link": "../x" })).resolves.toBeUndefined();
    await expect(refused({ "dir/link": ".." })).resolves.toBeUndefined();
  });

  test("into a repository's own data, in any spelling that some file system takes for it", async () => {
    for (const target of [".git", "dir/.GIT/config", ".g\u200dit", `${root}/.git/hooks`])
      await expect(refused({ link: target }), target).rejects.toThrow("into a repository's own data");
    await expect(refused({ link: ".gitignore" })).resolves.toBeUndefined();
  });

  test("by way of another link of the change, relative or absolute", async () => {
    await expect(refused({ "a/b/up": "../..", link: "a/b/up/../x" })).rejects.toMatchObject({ path: "link" });
    await expect(refused({ "a/b/up": root, link: "a/b/up/../x" })).rejects.toMatchObject({ path: "link" });
    await expect(refused({ "a/b/up": root, link: "a/b/up/dir" })).resolves.toBeUndefined();
  });

  test("by way of one that is there already, though not if the change takes that one away", async () => {
    symlinkSync("..", join(root, "dir/hop"));
    symlinkSync(root, join(root, "dir/home"));
    await expect(refused({ link: "dir/hop/../x" })).rejects.toThrow("leaves the project");
    await expect(refused({ link: "dir/home/../x" })).rejects.toThrow("leaves the project");
    await expect(refused({ link: "dir/hop/dir" })).resolves.toBeUndefined();
    await expect(refused({ link: "dir/hop/../x", "dir/hop": null })).resolves.toBeUndefined();
    await expect(refused({ link: "dir/hop/../x", "dir/hop": true })).resolves.toBeUndefined();
  });

  test("or nowhere, in a circle", async () => {
    await expect(refused({ one: "two", two: "one" })).rejects.toThrow("in a circle");
    symlinkSync("link", join(root, "back"));
    await expect(refused({ link: "back" })).rejects.toThrow("in a circle");
  });
});
