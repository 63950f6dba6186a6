import { expect, test } from "vitest";
import { suits } from "./actor-role.ts";

test.each([
  [undefined, "execution", true],
  ["execution", "strategy", true],
  ["strategy", "review", true],
  ["review", "review", true],
  ["invariant_reconciliation", "invariant", true],
  ["review", "execution", false],
  ["estimation", "review", false],
] as const)("an actor that is meant for %s, as %s: %s", (hint, role, fits) => {
  expect(suits(hint, role)).toBe(fits);
});
