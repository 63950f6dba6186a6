import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeDemo } from "./write-demo.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "write-demo-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test("the demo is written into a folder that is not there, as a repository, and again where it was begun", async () => {
  const folder = join(dir, "new");
  const env = { PATH: process.env["PATH"], HOME: dir };
  const demo = await writeDemo(folder, env);
  expect(demo).toMatchObject({ project: { name: "local/demo" }, action: { name: "local/polite-greeting" } });
  expect(await readdir(folder)).toEqual(expect.arrayContaining([".git", "package.json", "src", "test"]));
  await rm(join(folder, "README.md"));
  expect(await writeDemo(folder, env)).toEqual(demo);
  expect(await readFile(join(folder, "README.md"), "utf8")).toContain("greeter");
});

test("a folder with something else in it, or a file, is left as it is", async () => {
  const folder = join(dir, "taken");
  await mkdir(folder);
  await writeFile(join(folder, "mine.txt"), "mine");
  await expect(writeDemo(folder, {})).rejects.toThrow(`${folder} is there already, and is no demo`);
  await expect(writeDemo(join(folder, "mine.txt"), {})).rejects.toThrow("is no demo");
  expect(await readdir(folder)).toEqual(["mine.txt"]);
});
