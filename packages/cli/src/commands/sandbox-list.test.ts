import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";
import { PLAN_ID } from "../testing/samples.ts";

const METHOD = "_cleveragents/sandbox/list";
const held = { state: "failed", project: "local/app", bytes: 4_200_000, files: 12, removable: true };
const page = (...sandboxes: object[]) => ({ sandboxes, total: sandboxes.length, next_page_token: "" });

test("work that was not applied is pointed out, with the day until which it stays", async () => {
  const kept = { ...held, plan_id: PLAN_ID, unapplied_work: true, kept_until: "2026-07-15T09:00:00.000Z" };
  const done = { ...held, plan_id: "01J9K2TQ4M8R3V5W7X9Y0Z1A2C", state: "completed", unapplied_work: false };
  const cli = new FakeCli({ calls: { [METHOD]: page(kept, done) } });
  expect(await cli.run("sandbox", "list")).toBe(0);
  const [head, first, second] = cli.stdout.split("\n");
  expect(head).toMatch(/ UNTIL$/);
  expect(first).toMatch(/ failed +unapplied .*2026-07-15$/);
  expect(second).not.toContain("unapplied");
});

test("nothing that is kept is said in words, and as an empty page to programs", async () => {
  const cli = new FakeCli({ calls: { [METHOD]: page() } });
  await cli.run("sandbox", "list");
  expect(cli.stdout).toBe("No sandboxes.\n");
  const json = new FakeCli({ calls: { [METHOD]: page() } });
  await json.run("sandbox", "list", "-o", "json");
  expect(JSON.parse(json.stdout)).toEqual(page());
});
