import { expect, test } from "vitest";
import type { ProgramInput } from "../context.ts";
import { FakeCli, type FakeCliOptions } from "../testing/fake-cli.ts";
import { DIFF, PATCH, PLAN_ID } from "../testing/samples.ts";

/** Runs `plan diff` where some pagers are there; the answer is what each was given, and what reached the terminal. */
async function diff(pagers: readonly string[], options: FakeCliOptions = {}, ...flags: string[]) {
  const shown: Record<string, ProgramInput> = {};
  const programs = Object.fromEntries(
    pagers.map((name) => [
      name,
      (given: ProgramInput) => {
        shown[name] = given;
        return 0;
      },
    ]),
  );
  const cli = new FakeCli({
    isTTY: true,
    calls: { "_cleveragents/plan/diff": DIFF },
    ...options,
    env: { NO_COLOR: "1", ...options.env },
    programs,
  });
  const code = await cli.run("plan", "diff", PLAN_ID, ...flags);
  return { code, shown, stdout: cli.stdout, stderr: cli.stderr };
}

test("on a terminal a patch goes through less, which keeps colours and quits if it fits", async () => {
  const { shown, stdout } = await diff(["less"]);
  expect(shown["less"]).toEqual({ input: PATCH, env: { LESS: "FRX", LV: "-c" } });
  expect(stdout).toBe("");
  expect((await diff(["less"], { env: { LESS: "S" } })).shown["less"]?.env).toEqual({ LV: "-c" });
});

test("CLEVERAGENTS_PAGER counts before GIT_PAGER, and that before PAGER", async () => {
  const pagers = ["less", "a", "b", "c -x"];
  const env = { PAGER: "a", GIT_PAGER: "b", CLEVERAGENTS_PAGER: "c -x" };
  const used = async (given: Record<string, string>) =>
    Object.keys((await diff(pagers, { env: given })).shown);
  expect(await used(env)).toEqual(["c -x"]);
  expect(await used({ PAGER: "a", GIT_PAGER: "b" })).toEqual(["b"]);
  expect(await used({ PAGER: "a" })).toEqual(["a"]);
});

test.each([
  ["an empty pager", { env: { PAGER: "" } }, []],
  ["cat", { env: { GIT_PAGER: "cat" } }, []],
  ["a dumb terminal", { env: { TERM: "dumb" } }, []],
  ["no terminal", { isTTY: false }, []],
  ["--no-pager", {}, ["--no-pager"]],
  ["--no-input", {}, ["--no-input"]],
])("with %s the patch is written as it is", async (_, options, flags) => {
  const { shown, stdout } = await diff(["less", "cat"], options, ...flags);
  expect(shown).toEqual({});
  expect(stdout).toBe(PATCH);
});

test("a pager that is not there is said so where it was asked for, and the patch is written", async () => {
  const asked = await diff([], { env: { PAGER: "moar" } });
  expect(asked.stdout).toBe(PATCH);
  expect(asked.stderr).toContain('warning: the pager "moar" (PAGER) cannot be started\n');
  const silent = await diff([]);
  expect([silent.stdout, silent.stderr.includes("warning")]).toEqual([PATCH, false]);
});

test("statistics, names and other forms of output have no pager", async () => {
  for (const flags of [["--stat"], ["--name-only"], ["-o", "json"]])
    expect((await diff(["less"], {}, ...flags)).shown).toEqual({});
});
