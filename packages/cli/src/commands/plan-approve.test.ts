import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";
import { PLAN_ID, STATUS } from "../testing/samples.ts";

test("approving changes without their digest is refused, with the way to do it", async () => {
  const cli = new FakeCli({ calls: { "_cleveragents/plan/status": STATUS } });
  expect(await cli.run("plan", "approve", PLAN_ID)).toBe(2);
  expect(cli.stderr).toContain(`hint: agents plan diff ${PLAN_ID}, then agents plan apply ${PLAN_ID}`);
  expect(cli.paramsOf("_cleveragents/plan/approve")).toBeUndefined();
});
