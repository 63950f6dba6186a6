import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";
import { PLAN_ID, planItem, planPage, STATUS } from "../testing/samples.ts";

const OTHER = "01J9K2TQ4M8R3V5W7X9Y0Z1A2C";
const LIST = "_cleveragents/plan/list";

function cli(...ids: string[]) {
  return new FakeCli({
    calls: { [LIST]: planPage(...ids.map((id) => planItem(id))), "_cleveragents/plan/status": STATUS },
  });
}
async function sentFor(given: string, ...ids: string[]) {
  const fake = cli(...ids);
  await fake.run("plan", "status", given);
  return {
    id: (fake.paramsOf("_cleveragents/plan/status") as { plan_id: string }).plan_id,
    listed: fake.paramsOf(LIST) !== undefined,
  };
}

test("six or more characters that end or begin one id only mean that plan, in any case", async () => {
  expect(await sentFor("y0z1a2b", PLAN_ID, OTHER)).toEqual({ id: PLAN_ID, listed: true });
  expect(await sentFor("01J9K2", PLAN_ID)).toEqual({ id: PLAN_ID, listed: true });
});

test("a whole id is sent as it is, without a list", async () => {
  expect(await sentFor(PLAN_ID, OTHER)).toEqual({ id: PLAN_ID, listed: false });
});

test("what is shorter, fits nothing, or holds other characters is left for the server to judge", async () => {
  expect(await sentFor("1A2B", PLAN_ID)).toEqual({ id: "1A2B", listed: false });
  expect(await sentFor("ZZZZZZ", PLAN_ID)).toEqual({ id: "ZZZZZZ", listed: true });
  expect(await sentFor("my-own-plan", PLAN_ID)).toEqual({ id: "my-own-plan", listed: false });
});

test("an id that fits several plans is refused with all of them", async () => {
  const fake = cli(PLAN_ID, OTHER);
  expect(await fake.run("plan", "status", "01J9K2")).toBe(2);
  expect(fake.stderr).toBe(
    `error: "01J9K2" fits 2 plans:\n  ${PLAN_ID}  local/fix-tests\n  ${OTHER}  local/fix-tests\nhint: give its last eight characters: agents plan list has them\n`,
  );
  expect(fake.paramsOf("_cleveragents/plan/status")).toBeUndefined();
});

test("plans of further pages count as well", async () => {
  const fake = new FakeCli({
    calls: {
      [LIST]: ({ page_token }: Record<string, unknown>) =>
        page_token === "2"
          ? planPage(planItem(PLAN_ID))
          : { ...planPage(planItem(OTHER)), next_page_token: "2" },
      "_cleveragents/plan/status": STATUS,
    },
  });
  expect(await fake.run("plan", "status", "9Y0Z1A2B")).toBe(0);
});

test("a flag that names a plan takes a part of its id as well", async () => {
  const fake = cli(PLAN_ID);
  await fake.run("plan", "list", "--parent", "Y0Z1A2B");
  expect(fake.requests.map(({ params }) => (params as { parent?: string }).parent)).toEqual([
    undefined,
    PLAN_ID,
  ]);
});
