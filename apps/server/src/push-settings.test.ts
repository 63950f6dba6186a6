import { HttpPushSender } from "@cleveragents/infrastructure/push";
import { expect, test } from "vitest";
import { ConfigError } from "./config-error.ts";
import { pushAllowed } from "./push-settings.ts";

const GOOD = [
  "localhost",
  "localhost:8080",
  "10.1.0.0/16",
  "[::1]:9000",
  "::1",
  "fd00::/8",
  "hooks.example.",
];
const BAD = [
  "http://localhost",
  "10.0.0.0/33",
  "a b",
  "user@host",
  "/8",
  "10.0.0.0/",
  "x/8",
  "host:123456",
  "host:99999",
];

test("the hosts and ranges that notifications may also go to stand between commas", () => {
  expect(pushAllowed({})).toEqual([]);
  expect(pushAllowed({ CLEVERAGENTS_PUSH_ALLOW: ` ${GOOD.join(" , ")},` })).toEqual(GOOD);
});

test.each(BAD)("%j is a mistake of the configuration", (entry) => {
  expect(() => pushAllowed({ CLEVERAGENTS_PUSH_ALLOW: `localhost,${entry}` })).toThrow(ConfigError);
});

test("what the configuration takes, the sender takes", () => {
  expect(new HttpPushSender({ allow: GOOD }).refusal("http://localhost:1/")).toBe(undefined);
  for (const entry of BAD) expect(() => new HttpPushSender({ allow: [entry] }), entry).toThrow();
});
