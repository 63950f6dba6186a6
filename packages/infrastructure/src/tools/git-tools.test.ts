import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Sandbox } from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProcessCommandRunner } from "../process/index.ts";
import { gitTools } from "./git-tools.ts";

let root: string;
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...args], {
    cwd: root,
    encoding: "utf8",
  });

beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), "git-tools-")));
  git("init", "-q", "-b", "main");
  writeFileSync(path.join(root, "a.txt"), "one\ntwo\n");
  git("add", "-A");
  git("commit", "-q", "-m", "First");
  writeFileSync(path.join(root, "a.txt"), "one\nTWO\nthree\n");
  writeFileSync(path.join(root, "ü new.txt"), "x\n");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function call(name: string, args: JsonObject = {}, at = root): Promise<string> {
  const commands = new ProcessCommandRunner({ env: { PATH: process.env["PATH"] } });
  const tool = gitTools(commands).find(({ descriptor }) => descriptor.name === `builtin/${name}`);
  const result = await tool?.call(args, {
    planId: "plan",
    sandbox: { root: at, projectRoot: at } as Sandbox, // tools take nothing else of it
    signal: AbortSignal.timeout(60_000),
    network: false,
  });
  return String(result?.value["output"]);
}

test("status, diff, log, show and blame tell what git does of the copy", async () => {
  expect(await call("git_status")).toBe('## main\n M a.txt\n?? "ü new.txt"');
  expect(await call("git_status", { path: "a.txt" })).toBe("## main\n M a.txt");
  expect(await call("git_diff", { path: "a.txt" })).toContain("-two\n+TWO\n+three");
  expect(await call("git_diff", { stat: true })).toContain("a.txt | 3 ++-");
  expect(await call("git_log")).toMatch(/^[0-9a-f]{40} \S+ A\n {4}First$/);
  expect(await call("git_show", { path: "a.txt" })).toBe("one\ntwo");
  expect(await call("git_show")).toContain("+two");
  expect(await call("git_blame", { path: "a.txt", revision: "HEAD", max_lines: 1 })).toMatch(
    /\(A .*1\) one$/,
  );
});

test("long output is cut off, and that is said", async () => {
  expect((await call("git_diff", { max_lines: 2 })).split("\n")).toHaveLength(2);
});

test.each([
  ["an option for a revision", "git_log", { revision: "--output=/tmp/x" }, "INVALID_ARGUMENTS"],
  ["a path that leads out", "git_diff", { path: "../x" }, "PATH_ESCAPE"],
  ["a revision that is none", "git_show", { revision: "nope" }, "GIT_FAILED"],
] as const)("%s is refused", async (_, name, args, reason) => {
  await expect(call(name, args)).rejects.toMatchObject({ reason });
});

test("no program that the copy names is started", async () => {
  const witness = path.join(root, "..", `${path.basename(root)}-started`);
  writeFileSync(path.join(root, ".gitattributes"), "*.txt diff=evil\n");
  for (const [setting, value] of [
    ["diff.evil.command", `touch ${witness}`],
    ["diff.evil.textconv", `touch ${witness}; cat`],
    ["diff.external", `touch ${witness}`],
    ["core.fsmonitor", `touch ${witness}`],
    ["core.pager", `touch ${witness}`],
  ] as const)
    git("config", setting, value);
  await call("git_diff");
  await call("git_status");
  await call("git_show");
  expect(() => execFileSync("test", ["-e", witness])).toThrow();
  for (const setting of [
    "diff.evil.command",
    "diff.evil.textconv",
    "diff.external",
    "core.fsmonitor",
    "core.pager",
  ])
    git("config", "--unset", setting);
});

test("a folder that is no repository is told", async () => {
  const plain = realpathSync(mkdtempSync(path.join(tmpdir(), "plain-")));
  await expect(call("git_status", {}, plain)).rejects.toMatchObject({ reason: "NOT_A_REPOSITORY" });
  rmSync(plain, { recursive: true });
});
