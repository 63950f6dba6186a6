import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";
import { PLAN_ID } from "../testing/samples.ts";

const METHOD = "_cleveragents/usage/show";
const USED = {
  calls: 3,
  input_tokens: 12_000,
  cache_read_tokens: 800,
  cache_write_tokens: 0,
  output_tokens: 450,
  total_tokens: 13_250,
  estimated_calls: 0,
};
const NOTHING = {
  ...USED,
  calls: 0,
  input_tokens: 0,
  cache_read_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
};
const usage = (more: object = {}) => ({
  total: { ...USED, cost_usd: 0.0412 },
  unpriced_models: [],
  models: [{ ...USED, model: "openai/gpt-4o", role: "execution", cost_usd: 0.0412 }],
  tasks: [{ task_id: PLAN_ID, context_id: "c", action: "local/mend", calls: 3, total_tokens: 13_250 }],
  total_tasks: 1,
  ...more,
});

test("what models have used is told by model, with its sum and its cost", async () => {
  const cli = new FakeCli({ calls: { [METHOD]: usage() } });
  expect(await cli.run("usage", "--plan", PLAN_ID)).toBe(0);
  expect(cli.stdout).toContain("13,250 tokens, $0.0412 in 3 calls");
  expect(cli.stdout).toMatch(/openai\/gpt-4o +execution +3 +12,000 +800 +450 +\$0\.0412/);
  expect(cli.stderr).toBe("");
});

test("what is not in the cost, and what is estimated, is said beside it", async () => {
  const total = { ...USED, estimated_calls: 2 };
  const cli = new FakeCli({ calls: { [METHOD]: usage({ total, unpriced_models: ["ollama/small"] }) } });
  await cli.run("usage");
  expect(cli.stderr).toContain("ollama/small");
  expect(cli.stderr).toContain("Of 2 calls the tokens are estimated");
});

test("that nothing was used is said in words", async () => {
  const cli = new FakeCli({
    calls: { [METHOD]: usage({ total: NOTHING, models: [], tasks: [], total_tasks: 0 }) },
  });
  await cli.run("usage");
  expect(cli.stdout).toBe("No model was used.\n");
});
