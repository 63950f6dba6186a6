import { expect, test } from "vitest";
import { PLAN_CASES } from "../testing/cases/plan-cases.ts";
import { FakeCli } from "../testing/fake-cli.ts";

const used = PLAN_CASES.find(({ argv }) => argv.startsWith("plan use"))?.result as object;

test("a budget is given by kinds, and a kind that is none is wrong usage", async () => {
  const cli = new FakeCli({ calls: { "_cleveragents/plan/use": used } });
  expect(
    await cli.run("plan", "use", "local/fix", "--budget", "tool_calls=5", "--budget", "cost_usd=0.5"),
  ).toBe(0);
  expect(cli.paramsOf("_cleveragents/plan/use")).toMatchObject({ budget: { tool_calls: 5, cost_usd: 0.5 } });
  for (const budget of ["beer=1", "tokens", "tokens=many", "tokens=-1"])
    expect(await new FakeCli().run("plan", "use", "local/fix", "--budget", budget), budget).toBe(2);
});

test("plan use names no folder when a project is given", async () => {
  const cli = new FakeCli({ calls: { "_cleveragents/plan/use": used } });
  await cli.run("plan", "use", "local/fix", "--project", "local/app");
  expect(cli.paramsOf("_cleveragents/plan/use")).toMatchObject({
    project: "local/app",
    working_directory: undefined,
  });
});

test("an argument without = is wrong usage, and nothing is sent", async () => {
  const cli = new FakeCli();
  expect(await cli.run("plan", "use", "local/fix", "--arg", "file")).toBe(2);
  expect(cli.stderr).toBe('error: --arg is written name=value, not "file"\n');
  expect(cli.connections).toEqual([]);
});
