import { expect, test } from "vitest";
import { FakeCli, type FakeCliOptions } from "../testing/fake-cli.ts";
import { DIFF, PATCH, PLAN_ID } from "../testing/samples.ts";

async function diff(flags: readonly string[], options: FakeCliOptions = {}) {
  const fake = new FakeCli({ calls: { "_cleveragents/plan/diff": DIFF }, ...options });
  return {
    code: await fake.run("plan", "diff", PLAN_ID, ...flags),
    stdout: fake.stdout,
    stderr: fake.stderr,
    params: fake.paramsOf("_cleveragents/plan/diff"),
  };
}

test("stdout is the patch, byte for byte, and the digest is on stderr", async () => {
  const { stdout, stderr, params } = await diff([]);
  expect(stdout).toBe(PATCH);
  expect(stderr).toContain(DIFF.digest);
  expect(params).toEqual({ plan_id: PLAN_ID, include_patch: true });
});

test("control characters of a patch reach a pipe and no terminal", async () => {
  const calls = { "_cleveragents/plan/diff": { ...DIFF, patch: "+a\r\n+\u001b[2J\n" } };
  expect((await diff([], { calls })).stdout).toBe("+a\r\n+\u001b[2J\n");
  expect((await diff([], { calls, isTTY: true, env: { NO_COLOR: "1" } })).stdout).toBe("+a\n+\\x1b[2J\n");
});

test("a deleted line that looks like a header is red like the others", async () => {
  const { stdout } = await diff([], { env: { FORCE_COLOR: "1" } });
  expect(stdout).toContain("\u001b[31m--- foo\u001b[39m\n\u001b[32m+bar\u001b[39m\n");
  expect(stdout).toContain("\u001b[1m--- a/a.txt\u001b[22m\n");
});

test("--stat and --name-only ask for no patch", async () => {
  const stat = await diff(["--stat"], { columns: 60 });
  expect(stat.params).toEqual({ plan_id: PLAN_ID, include_patch: false });
  expect(stat.stdout).toBe(
    " src/auth/token.ts    | 13 ++++++++++---\n docs/auth.md (added) |  2 ++\n 2 files changed, 12 insertions(+), 3 deletions(-)\n",
  );
  expect((await diff(["--name-only"])).stdout).toBe("src/auth/token.ts\ndocs/auth.md\n");
  expect((await diff(["--stat", "--name-only"])).code).toBe(2);
});

test("programs are given the hunks of each file beside the patch, people and names are not", async () => {
  expect((await diff(["-o", "json"])).params).toEqual({
    plan_id: PLAN_ID,
    include_patch: true,
    include_hunks: true,
  });
  expect((await diff(["-o", "name"])).params).toEqual({ plan_id: PLAN_ID, include_patch: false });
});

test("a part, a merge and what was left out are asked for by their flags, and named on stderr", async () => {
  const calls = {
    "_cleveragents/plan/diff": {
      ...DIFF,
      left_out: { digest: DIFF.digest, paths: ["docs/auth.md"] },
      merged: ["src/auth/token.ts"],
    },
  };
  const part = await diff(["--only", "src/**", "--only", "lib", "--exclude", "*.md", "--rebase"], { calls });
  expect(part.params).toMatchObject({ only: ["src/**", "lib"], exclude: ["*.md"], rebase: true });
  expect(part.stderr).toContain("Left out: docs/auth.md\n");
  expect(part.stderr).toContain("Merged with the project: src/auth/token.ts\n");
  expect((await diff(["--left-out"])).params).toMatchObject({ left_out: true });
  const both = await diff(["--left-out", "--only", "src/**"]);
  expect([both.code, both.params]).toEqual([2, undefined]);
});

test("changes are exit code 10 with --exit-code only, none are 0", async () => {
  expect((await diff([])).code).toBe(0);
  expect((await diff(["--exit-code", "-o", "json"])).code).toBe(10);
  const none = { calls: { "_cleveragents/plan/diff": { ...DIFF, files: [], patch: "" } } };
  const { code, stdout } = await diff(["--exit-code"], none);
  expect([code, stdout]).toEqual([0, ""]);
});

test("files that are too large for the patch are named on stderr", async () => {
  const [first, ...others] = DIFF.files;
  const calls = { "_cleveragents/plan/diff": { ...DIFF, files: [{ ...first, in_patch: false }, ...others] } };
  expect((await diff([], { calls })).stderr).toContain(
    "too large for the patch, not in it: src/auth/token.ts",
  );
});
