import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";
import { SKILL_CASES } from "../testing/skill-cases.ts";

const METHOD = "_cleveragents/registry/skill/validate";
const [{ result } = { result: {} }] = SKILL_CASES;
const cliWith = (files: Record<string, string>, more: object = {}) =>
  new FakeCli({ files, calls: { [METHOD]: { ...result, ...more } } });
const asked = (cli: FakeCli) => cli.paramsOf(METHOD);

test("PATH may be the file itself, also in lower case, and the folder where the command runs", async () => {
  const file = cliWith({ "/work/app/x/skill.md": "a" });
  expect(await file.run("skill", "validate", "x/skill.md", "--strict")).toBe(0);
  expect(asked(file)).toEqual({ document: "a", folder: "x", strict: true });
  const here = cliWith({ "/work/app/SKILL.md": "b" });
  expect(await here.run("skill", "validate", ".")).toBe(0);
  expect(asked(here)).toMatchObject({ document: "b", folder: "app" });
});

test("a skill that is not valid ends the command with 1, and one that is not there with 2", async () => {
  const cli = cliWith({ "/work/app/x/SKILL.md": "a" }, { valid: false });
  expect(await cli.run("skill", "validate", "x")).toBe(1);
  expect(await cli.run("skill", "validate", "y")).toBe(2);
  expect(cli.stderr).toContain("cannot read y: there is no SKILL.md");
});
