import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Sandbox } from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readFileTool } from "./read-file.ts";
import { searchFilesTool } from "./search-files.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), "search-")));
  for (const folder of ["src/deep", ".git"]) mkdirSync(path.join(root, folder), { recursive: true });
  put("src/a.ts", "const one = 1;\nconst Two = 2;\r\n");
  put("src/deep/b.ts", "// one\n");
  put("README.md", "one (two)\n");
  put(".git/config", "one\n");
  put("src/binary", "one\0\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (file: string, content: string) => writeFileSync(path.join(root, file), content);
const context = () => ({
  planId: "plan",
  sandbox: { root, projectRoot: "/project" } as Sandbox, // tools take nothing else of it
  signal: new AbortController().signal,
  network: false,
});
const search = async (args: JsonObject) => (await searchFilesTool.call(args, context())).value;
const lines = async (args: JsonObject) =>
  ((await search(args))["matches"] as { path: string; line: number; text: string }[]).map(
    (hit) => `${hit.path}:${hit.line}:${hit.text}`,
  );

test("lines that match are told with their file and number, in the order of the files", async () => {
  expect(await lines({ pattern: "\\bone\\b" })).toEqual([
    "README.md:1:one (two)",
    "src/a.ts:1:const one = 1;",
    "src/deep/b.ts:1:// one",
  ]);
  expect(await lines({ pattern: "TWO", ignore_case: true })).toEqual([
    "README.md:1:one (two)",
    "src/a.ts:2:const Two = 2;",
  ]);
  expect(await lines({ pattern: "(two)", fixed: true })).toEqual(["README.md:1:one (two)"]);
});

test("a glob chooses files, a path a folder or one file", async () => {
  expect(await search({ glob: "*.ts" })).toEqual({
    paths: ["src/a.ts", "src/deep/b.ts"],
    total: 2,
    truncated: false,
  });
  expect((await search({ glob: "src/*.ts" }))["paths"]).toEqual(["src/a.ts"]);
  expect(await lines({ pattern: "one", path: "src/deep" })).toEqual(["src/deep/b.ts:1:// one"]);
  expect(await lines({ pattern: "one", path: "README.md" })).toEqual(["README.md:1:one (two)"]);
});

test("more than is asked for is cut off, and that is said", async () => {
  put("many.txt", "x\n".repeat(50));
  const found = await search({ pattern: "x", limit: 10, path: "many.txt" });
  expect(found["truncated"]).toBe(true);
  expect(found["matches"]).toHaveLength(10);
  put("long.txt", `needle${"y".repeat(5000)}\n`);
  const [hit] = await lines({ pattern: "needle" });
  expect(hit?.length).toBeLessThan(500);
});

test("a pattern that would take others for ever is answered", async () => {
  put("evil.txt", `${"a".repeat(50_000)}!\n`);
  expect(await lines({ pattern: "(a+)+$" })).toEqual([]);
});

test("links are not followed, and what leads out is refused", async () => {
  symlinkSync("/etc", path.join(root, "out"));
  expect(await lines({ pattern: "root" })).toEqual([]);
  await expect(search({ pattern: "root", path: "out" })).rejects.toMatchObject({ reason: "PATH_ESCAPE" });
  await expect(search({ pattern: "x", path: "../x" })).rejects.toMatchObject({ reason: "PATH_ESCAPE" });
});

test("a pattern that cannot be read, and none at all, are refused", async () => {
  await expect(search({ pattern: "(" })).rejects.toMatchObject({ reason: "INVALID_PATTERN" });
  await expect(search({ pattern: "(?=x)" })).rejects.toMatchObject({ reason: "INVALID_PATTERN" });
  await expect(search({})).rejects.toMatchObject({ reason: "INVALID_ARGUMENTS" });
});

test("a file is read by lines, counted from 1, and what is left is said", async () => {
  put("lines.txt", "1\n2\n3\n4");
  const read = async (args: JsonObject) =>
    (await readFileTool.call({ path: "lines.txt", ...args }, context())).value;
  expect(await read({ offset: 2, limit: 2 })).toEqual({
    content: "2\n3\n",
    start_line: 2,
    end_line: 3,
    total_lines: 4,
    truncated: true,
    encoding: "utf8",
    size: 7,
  });
  expect(await read({ offset: 9 })).toMatchObject({ content: "", total_lines: 4 });
  expect(await read({})).toEqual({ content: "1\n2\n3\n4", encoding: "utf8", size: 7 });
  put("large.txt", "x".repeat(99).concat("\n").repeat(20_000));
  await expect(readFileTool.call({ path: "large.txt" }, context())).rejects.toMatchObject({
    reason: "FILE_TOO_LARGE",
  });
  const part = (await readFileTool.call({ path: "large.txt", limit: 100_000 }, context())).value;
  expect(part["truncated"]).toBe(true);
  expect(String(part["content"]).length).toBeLessThanOrEqual(256 * 1024);
  await expect(readFileTool.call({ path: "src/binary", limit: 1 }, context())).rejects.toMatchObject({
    reason: "BINARY_FILE",
  });
});
