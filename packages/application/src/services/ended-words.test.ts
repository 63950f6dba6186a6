import { expect, test } from "vitest";
import { endedWords } from "./ended-words.ts";

const failure = { reason: "PREFLIGHT_FAILED", message: "there is no tool local/x", recoverable: false };

test("of a plan that is refused or has failed it is said why, since another one would end in the same way", () => {
  expect(endedWords({ stage: { phase: "strategize", state: "rejected" }, failure })).toBe(
    "it is rejected for good (there is no tool local/x); use the action again for a new plan",
  );
  expect(endedWords({ stage: { phase: "execute", state: "failed" }, failure })).toContain("no tool local/x");
});

test("what had failed before somebody cancelled a plan is not why it ended", () => {
  expect(endedWords({ stage: { phase: "execute", state: "cancelled" }, failure })).toBe(
    "it is cancelled for good; use the action again for a new plan",
  );
});
