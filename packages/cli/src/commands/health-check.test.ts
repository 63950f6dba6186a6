import { expect, test } from "vitest";
import { AGENT_CASES } from "../testing/cases/agent-cases.ts";
import { FakeCli } from "../testing/fake-cli.ts";

const health = AGENT_CASES.find(({ argv }) => argv === "health check")?.result as object;

test("an agent that does not work as it should is exit code 1", async () => {
  const cli = new FakeCli({ calls: { "_cleveragents/health/check": { ...health, status: "degraded" } } });
  expect(await cli.run("health", "check")).toBe(1);
});
