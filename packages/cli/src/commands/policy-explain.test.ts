import { expect, test } from "vitest";
import { RULES_CASES } from "../testing/cases/rules-cases.ts";
import { FakeCli } from "../testing/fake-cli.ts";

const explained = RULES_CASES.find(({ argv }) => argv.startsWith("policy explain"))?.result as object;

test("a command that is one word is asked about as the shell reads it", async () => {
  const cli = new FakeCli({ calls: { "_cleveragents/policy/explain": explained } });
  await cli.run("policy", "explain", "ls && rm -rf x");
  expect(cli.paramsOf("_cleveragents/policy/explain")).toMatchObject({ command: "ls && rm -rf x" });
  const words = new FakeCli({ calls: { "_cleveragents/policy/explain": explained } });
  await words.run("policy", "explain", "--profile", "ci", "--", "rm", "-rf", "--no-color", "x");
  expect(words.paramsOf("_cleveragents/policy/explain")).toMatchObject({
    command: ["rm", "-rf", "--no-color", "x"],
    profile: "ci",
  });
});
