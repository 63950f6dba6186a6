import { chmodSync, lstatSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Sandbox, SelectedChange } from "@cleveragents/application";
import { expect, test } from "vitest";
import { type Fixture, fixture, treeOf, write } from "./git-fixtures.ts";

const LINES = Array.from({ length: 20 }, (_, n) => `line ${n}\n`);
const lines = (changed: Readonly<Record<number, string>>) =>
  LINES.map((line, n) => (changed[n] === undefined ? line : `${changed[n]}\n`)).join("");
const FILES = { "a.txt": LINES.join(""), "b.txt": "b\n", link: "to be one\n", gone: "g\n", pipe: "p\n" };

const rebased = async (it: Fixture, sandbox: Sandbox): Promise<SelectedChange> =>
  await it.workspace.select(sandbox, {
    planId: "PLAN",
    digest: (await sandbox.compare()).digest,
    rebase: true,
  });
const applied = (it: Fixture, { from, to, digest }: SelectedChange) =>
  it.workspace.apply({ projectRoot: it.project, baseTree: from }, { planId: "PLAN", digest, toTree: to });

test("what the user has done in the same way is no conflict: the same new file, the same move, the same end", async () => {
  await using it = fixture({ git: true, files: FILES });
  const sandbox = await it.create();
  for (const root of [sandbox.root, it.project]) {
    write(root, { "new.txt": "both\n" });
    renameSync(join(root, "a.txt"), join(root, "moved.txt"));
    rmSync(join(root, "gone"));
  }
  write(sandbox.root, { "b.txt": "plan\n" });
  const merged = await rebased(it, sandbox);
  expect(merged.changeset.files.map(({ path }) => path)).toEqual(["b.txt"]);
  expect(merged.merged).toEqual([]);
  await applied(it, merged);
  expect(treeOf(it.project)).toEqual(treeOf(sandbox.root));
});

test("the executable bit that the user has given a file stays when the plan's lines are merged into it", async () => {
  await using it = fixture({ git: true, files: FILES });
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": lines({ 15: "the plan's" }) });
  write(it.project, { "a.txt": lines({ 2: "mine" }) });
  chmodSync(join(it.project, "a.txt"), 0o755);
  await applied(it, await rebased(it, sandbox));
  expect(readFileSync(join(it.project, "a.txt"), "utf8")).toBe(lines({ 2: "mine", 15: "the plan's" }));
  expect(lstatSync(join(it.project, "a.txt")).mode & 0o111).not.toBe(0);
});

test("a move onto something of the user's, a link on one side, and what cannot be read are conflicts with their reasons", async () => {
  await using it = fixture({ git: true, files: FILES });
  const sandbox = await it.create();
  renameSync(join(sandbox.root, "a.txt"), join(sandbox.root, "moved.txt"));
  write(sandbox.root, { "b.txt": "plan\n", link: "plan\n", pipe: "plan\n" });
  write(it.project, { "moved.txt": "mine\n" });
  for (const path of ["link", "pipe"]) rmSync(join(it.project, path));
  symlinkSync("b.txt", join(it.project, "link"));
  const socket = createServer().listen(join(it.project, "pipe"));
  await new Promise((resolve) => socket.once("listening", resolve));
  try {
    await expect(rebased(it, sandbox)).rejects.toMatchObject({
      name: "MergeConflictError",
      conflicts: [
        { path: "a.txt", why: expect.stringContaining("where something else is now") },
        { path: "link", why: expect.stringContaining("link on one side") },
        { path: "pipe", why: expect.stringContaining("cannot be read") },
      ],
    });
  } finally {
    socket.close();
  }
  expect(readFileSync(join(it.project, "b.txt"), "utf8")).toBe("b\n");
});
