import { execFileSync } from "node:child_process";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GitCommand } from "../src/git/git-command.ts";
import { ProjectStore } from "../src/git/project-store.ts";
import { compareTrees } from "../src/git/tree-comparison.ts";
import { fixture, treeOf, userEnv, write } from "./git-fixtures.ts";

const big = (letter: string) => `${letter.repeat(99)}\n`.repeat(100);

test("a patch leaves out what is too large for it, says so, and applies; digest and statistics are of everything", async () => {
  await using it = fixture({
    git: true,
    files: {
      "big.txt": big("a"),
      "gone.big": big("b"),
      "old.big": big("c"),
      "a.txt": "one\n",
      "z.txt": "one\n",
    },
  });
  const sandbox = await it.create();
  write(sandbox.root, {
    "big.txt": big("x"),
    "new.big": "y\n".repeat(4000),
    "a.txt": "two\n",
    "z.txt": "two\n",
  });
  rmSync(join(sandbox.root, "gone.big"));
  renameSync(join(sandbox.root, "old.big"), join(sandbox.root, "to.big"));
  writeFileSync(join(sandbox.root, "to.big"), "tail\n", { flag: "a" });
  const whole = await sandbox.compare();
  expect(whole.changeset.files.filter(({ leftOut }) => leftOut)).toEqual([]);

  const git = new GitCommand({ env: userEnv(it.base) });
  const store = await ProjectStore.open(git, join(it.dataDir, "stores"), it.project);
  const limits = { file: 5000, total: 1_000_000 };
  const { changeset, digest, patch } = await compareTrees(store, whole.from, whole.to, [], limits);
  expect(digest).toBe(whole.digest);
  expect(changeset.stats).toEqual(whole.changeset.stats);
  const left = changeset.files.filter(({ leftOut }) => leftOut).map(({ path }) => path);
  expect(left).toEqual(["big.txt", "gone.big", "new.big", "to.big"]);

  await sandbox.restore(whole.from);
  const file = join(it.base, "patch");
  writeFileSync(file, await patch());
  execFileSync("git", ["apply", file], {
    cwd: sandbox.root,
    env: { ...userEnv(it.base), GIT_CEILING_DIRECTORIES: it.base },
  });
  expect(treeOf(sandbox.root)).toEqual({
    ...treeOf(it.project),
    "a.txt": `644 ${Buffer.from("two\n").toString("base64")}`,
    "z.txt": `644 ${Buffer.from("two\n").toString("base64")}`,
  });
});

test("of many files the largest are left out, until the rest fits", async () => {
  await using it = fixture({ git: true });
  const sandbox = await it.create();
  write(sandbox.root, { small: "s\n", middle: "m".repeat(600), large: "l".repeat(900) });
  const { from, to } = await sandbox.compare();
  const git = new GitCommand({ env: userEnv(it.base) });
  const store = await ProjectStore.open(git, join(it.dataDir, "stores"), it.project);
  const { changeset } = await compareTrees(store, from, to, [], { file: 1000, total: 1000 });
  expect(changeset.files.filter(({ leftOut }) => leftOut).map(({ path }) => path)).toEqual(["large"]);
});
