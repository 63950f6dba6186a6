import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";
import { PLAN_ID, planItem, planPage } from "../testing/samples.ts";

test("an empty list is exit code 0, a word for people and [] for machines", async () => {
  const calls = { "_cleveragents/plan/list": planPage() };
  const text = new FakeCli({ calls });
  expect(await text.run("plan", "list")).toBe(0);
  expect(text.stdout).toBe("No plans. agents plan use ACTION makes one.\n");
  const json = new FakeCli({ calls });
  expect(await json.run("plan", "list", "-o", "json")).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({ plans: [] });
  const name = new FakeCli({ calls });
  expect(await name.run("plan", "list", "-o", "name")).toBe(0);
  expect(name.stdout).toBe("");
});

test("a further page is named on stderr", async () => {
  const cli = new FakeCli({
    calls: {
      "_cleveragents/plan/list": { ...planPage(planItem(PLAN_ID)), total: 7, next_page_token: "abc" },
    },
  });
  await cli.run("plan", "list");
  expect(cli.stderr).toBe("There are more (7 in all): --page-token abc\n");
});
