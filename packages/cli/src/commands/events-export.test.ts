import { TransportError } from "@cleveragents/protocol";
import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";
import { goldenText } from "../testing/golden-text.ts";
import { PLAN_ID } from "../testing/samples.ts";

const METHOD = "_cleveragents/event/export";
const event = (sequence: number) => ({
  method: "task/statusUpdate",
  params: { event_id: `${PLAN_ID}:${sequence}` },
});
const pages = (params: Record<string, unknown>) =>
  params["page_token"] === ""
    ? { events: [event(1), event(2)], next_page_token: "p2" }
    : { events: [event(3)], next_page_token: "" };

test("agents events export has one event a line, of all pages, whatever -o says", async () => {
  for (const flags of [[], ["-o", "json"], ["-o", "name"]]) {
    const cli = new FakeCli({ calls: { [METHOD]: pages } });
    expect(await cli.run("events", "export", "--plan", PLAN_ID, ...flags)).toBe(0);
    expect(cli.stdout).toBe([1, 2, 3].map((n) => `${JSON.stringify(event(n))}\n`).join(""));
    expect(cli.paramsOf(METHOD)).toMatchObject({ plan_id: PLAN_ID });
  }
  const more = { calls: { [METHOD]: pages } };
  await expect(await goldenText({ argv: "events export", more })).toMatchFileSnapshot(
    "golden/events-export.txt",
  );
});

test.each([
  ["12h", "2026-07-01T00:00:00.000Z"],
  ["7d", "2026-06-24T12:00:00.000Z"],
  ["2026-01-31", "2026-01-31T00:00:00.000Z"],
  ["2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00.000Z"],
])("a time may be %s", async (given, since) => {
  const cli = new FakeCli({ calls: { [METHOD]: { events: [], next_page_token: "" } } });
  await cli.run("events", "export", "--since", given);
  expect(cli.paramsOf(METHOD)).toMatchObject({ since });
  expect([cli.stdout, cli.stderr]).toEqual(["", "Nothing was logged there.\n"]);
});

test.each(["yesterday", "12", "2026-13-45", "99999999999d"])("%s is no time", async (given) => {
  const cli = new FakeCli();
  expect(await cli.run("events", "export", "--until", given)).toBe(2);
  expect([cli.connections, cli.stderr]).toEqual([
    [],
    expect.stringContaining(`--until is a time, not "${given}"`),
  ]);
});

test("a connection that is lost between pages is taken up again, and nothing comes twice", async () => {
  let lost = false;
  const calls = {
    [METHOD]: (params: Record<string, unknown>) => {
      if (params["page_token"] !== "p2" || lost) return pages(params);
      lost = true;
      return new TransportError("CONNECTION_LOST", "gone");
    },
  };
  const cli = new FakeCli({ calls });
  expect(await cli.run("events", "export")).toBe(0);
  expect(cli.stdout.split("\n")).toHaveLength(4);
});
