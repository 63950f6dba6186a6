import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";

const A = "01J9K2TQ4M8R3V5W7X9Y0Z1A2B";
const B = "01J9K2TQ4M8R3V5W7X9Y0Z1A2C";
const sessions = [{ session_id: A, name: "Nightly" }, { session_id: B }, { session_id: "nightly" }];
const calls = {
  "_cleveragents/session/list": { sessions, total: 3, next_page_token: "" },
  "_cleveragents/session/export": {
    session_id: A,
    document: {},
    messages: 0,
    linked_plans: 0,
    checksum: "x",
  },
};

async function exported(id: string) {
  const cli = new FakeCli({ calls });
  const code = await cli.run("session", "export", id);
  return { code, asked: cli.paramsOf("_cleveragents/session/export"), stderr: cli.stderr };
}

test("a session is named by its id, its beginning, or its end", async () => {
  for (const id of [A, "Y0Z1A2B", "y0z1a2b"])
    expect((await exported(id)).asked, id).toEqual({ session_id: A });
  expect((await exported("nightly")).asked).toEqual({ session_id: "nightly" });
  expect((await exported("short")).asked).toEqual({ session_id: "short" });
});

test("a part that several have is wrong usage, and they are named", async () => {
  const { code, asked, stderr } = await exported("01J9K2TQ");
  expect([code, asked]).toEqual([2, undefined]);
  expect(stderr).toContain(`"01J9K2TQ" fits 2 sessions:\n  ${A}  Nightly\n  ${B}`);
});
