import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";
import { PLAN_ID } from "../testing/samples.ts";

const ARTIFACTS = {
  plan_id: PLAN_ID,
  artifacts: [],
  outputs: [{ artifact_id: "step-2-output", size: 2_300_000 }],
  summary: { total: 0, writes: 0, edits: 0, deletes: 0, renames: 0, total_size: 0 },
  total: 0,
  next_page_token: "",
};

test("long outputs are listed beside the files", async () => {
  const fake = new FakeCli({ calls: { "_cleveragents/plan/artifacts": ARTIFACTS } });
  await fake.run("plan", "artifacts", PLAN_ID);
  expect(fake.stdout).toMatch(/OUTPUT +SIZE\nstep-2-output +2\.3 MB\n/);
});

test("--artifact prints a whole output, byte for byte into a pipe", async () => {
  const output = { artifact_id: "step-2-output", offset: 0, text: "a\u001b[2J\r\n", size: 6 };
  const calls = { "_cleveragents/plan/artifacts": { ...ARTIFACTS, output } };
  const fake = new FakeCli({ calls });
  expect(await fake.run("plan", "artifacts", PLAN_ID, "--artifact", "step-2-output")).toBe(0);
  expect(fake.stdout).toBe("a\u001b[2J\r\n");
  expect(fake.paramsOf("_cleveragents/plan/artifacts")).toEqual({
    plan_id: PLAN_ID,
    artifact_id: "step-2-output",
    offset: 0,
  });
});
