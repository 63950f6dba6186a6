import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";
import { PLAN_ID, RUNNING, STATUS } from "../testing/samples.ts";

const SGR = /\p{Cc}\[\d+m/gu;

test("what a plan says cannot steer the terminal", async () => {
  const cli = new FakeCli({
    isTTY: true,
    env: { NO_COLOR: "1" },
    calls: { "_cleveragents/plan/status": { ...RUNNING, description: "a\u001b]0;x\u0007b" } },
  });
  await cli.run("plan", "status", PLAN_ID);
  expect(cli.stdout).toContain("a\\x1b]0;x\\x07b");
});

test("colour adds codes and changes no word", async () => {
  const calls = { "_cleveragents/plan/status": STATUS };
  const [plain, coloured] = [new FakeCli({ calls }), new FakeCli({ calls, env: { FORCE_COLOR: "1" } })];
  await plain.run("plan", "status", PLAN_ID);
  await coloured.run("plan", "status", PLAN_ID);
  expect(coloured.stdout).not.toBe(plain.stdout);
  expect(coloured.stdout.replaceAll(SGR, "")).toBe(plain.stdout);
});
