import { expect, test } from "vitest";
import { warnOfMissingProfile } from "./default-profile.ts";

test("an operator is told of a default profile that is not there, and of no other", async () => {
  const logged: unknown[] = [];
  const logger = { debug() {}, info() {}, error() {}, warn: (...line: unknown[]) => void logged.push(line) };
  const profiles = {
    find: async (name: string) => {
      if (name !== "ci") throw new Error(`no profile "${name}"`);
      return undefined as never;
    },
  };
  for (const name of [undefined, "", "ci"]) await warnOfMissingProfile(profiles, name, logger);
  expect(logged).toEqual([]);
  await warnOfMissingProfile(profiles, "nope", logger);
  expect(logged).toEqual([
    [{ reason: 'no profile "nope"' }, expect.stringContaining("CLEVERAGENTS_AUTOMATION_PROFILE")],
  ]);
});
