import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";
import { PLAN_ID } from "../testing/samples.ts";

const METHOD = "_cleveragents/sandbox/gc";
const found = {
  sandboxes: [
    {
      plan_id: PLAN_ID,
      state: "failed",
      project: "local/app",
      bytes: 4_200_000,
      files: 12,
      unapplied_work: true,
      removable: true,
      removed: false,
    },
  ],
  total: 1,
  next_page_token: "",
  bytes_freed: 0,
  dry_run: true,
};

test("without a terminal it removes nothing unless told to", async () => {
  const cli = new FakeCli({ calls: { [METHOD]: found } });
  expect(await cli.run("sandbox", "gc")).toBe(2);
  expect(cli.stderr).toContain("--dry-run");
  expect(cli.paramsOf(METHOD)).toBeUndefined();
});

test("a dry run says what would go, and what it holds", async () => {
  const cli = new FakeCli({ calls: { [METHOD]: found } });
  expect(await cli.run("sandbox", "gc", "--dry-run")).toBe(0);
  expect(cli.paramsOf(METHOD)).toMatchObject({ dry_run: true });
  expect(cli.stdout).toContain(`${PLAN_ID}  failed  4.2 MB  holds work that was not applied`);
});
