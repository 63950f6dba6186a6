import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withIndex } from "./index-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "index-file-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (index: string, ...args: string[]) =>
  execFileSync("git", args, {
    cwd: folder,
    env: { PATH: process.env["PATH"], GIT_INDEX_FILE: index },
    encoding: "utf8",
  });

// Times of files lag behind the clock by up to a tick of the system.
const nextSecond = async () => await delay(1050 - (Date.now() % 1000));

test("a file that is written again in the second in which it was read is seen, though the index is written in the next", async () => {
  git(join(folder, ".git/index"), "init", "-q");
  const index = join(folder, "own-index");
  await nextSecond();
  const began = Math.floor(Date.now() / 1000);
  await withIndex(index, async (copy) => {
    writeFileSync(join(folder, "a"), "aaaa");
    git(copy, "update-index", "--add", "a");
    writeFileSync(join(folder, "a"), "bbbb");
    await nextSecond();
    writeFileSync(join(folder, "other"), "");
    git(copy, "update-index", "--add", "other");
  });
  expect(git(index, "ls-files", "-m")).toBe("a\n");
  // A git that compares nanoseconds sees it anyway; the others by this.
  expect(Math.floor(statSync(index).mtimeMs / 1000)).toBe(began);
});

test("a failure leaves the index as it was and no file behind", async () => {
  const index = join(folder, "own-index");
  writeFileSync(index, "the old one");
  const failing = withIndex(index, async (copy) => {
    writeFileSync(copy, "half");
    throw new Error("cut off");
  });
  await expect(failing).rejects.toThrow("cut off");
  expect(await readdir(folder)).toEqual(["own-index"]);
  await withIndex(index, async () => {});
  expect(await readdir(folder)).toEqual(["own-index"]);
});
