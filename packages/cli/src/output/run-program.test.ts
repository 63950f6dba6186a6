import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runProgram } from "./run-program.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agents-program-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a pager that is quit before it has read everything is no failure", async () => {
  const out = join(folder, "out");
  const input = "a long line of a patch\n".repeat(100_000);
  expect(await runProgram(`head -n 1 > '${out}'`, { input }, process.env)).toBe(0);
  expect(readFileSync(out, "utf8")).toBe("a long line of a patch\n");
});

test("a command line has words of its own, then those that it is given, whatever is in them", async () => {
  const out = join(folder, "out");
  const given = { args: ["a b", "$(c)"], env: { OUT: out } };
  expect(
    await runProgram(
      "node -e \"require('fs').writeFileSync(process.env.OUT, process.argv.slice(1).join(','))\" --",
      given,
      process.env,
    ),
  ).toBe(0);
  expect(readFileSync(out, "utf8")).toBe("a b,$(c)");
});

test("a program that is not there is undefined, and what one ends with is its exit code", async () => {
  const before = process.listenerCount("SIGINT");
  expect(
    await runProgram("exec 2>/dev/null; no-such-program-anywhere", { input: "x" }, process.env),
  ).toBeUndefined();
  expect(await runProgram("exit 3", {}, process.env)).toBe(3);
  expect(process.listenerCount("SIGINT")).toBe(before);
});
