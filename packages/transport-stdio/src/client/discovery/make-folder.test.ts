import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeFolder } from "./make-folder.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "ca-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test("a folder is made with those above it, for this user alone, also by several at once", async () => {
  const path = join(root, "a", "b", "c");
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(root, "a", "b"))]);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect((await stat(join(root, "a"))).mode & 0o777).toBe(0o700);
});

test("one that is there, or a link to one, stays as it is", async () => {
  await mkdir(join(root, "there"), { mode: 0o755 });
  await symlink(join(root, "there"), join(root, "link"));
  await makeFolder(join(root, "there"));
  await makeFolder(join(root, "link"));
  expect((await stat(join(root, "there"))).mode & 0o777).toBe(0o755);
});

test("a file in its place, or above it, is refused", async () => {
  await writeFile(join(root, "file"), "");
  await expect(makeFolder(join(root, "file"))).rejects.toMatchObject({ code: "EEXIST" });
  await expect(makeFolder(join(root, "file", "below"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

test.skipIf(!existsSync("/proc/self"))("where none can be made it fails, and ends", async () => {
  await expect(makeFolder("/proc/nothing/here")).rejects.toMatchObject({ code: "ENOENT" });
});
