import { expect, test } from "vitest";
import { clearAnswer } from "./ask.ts";

test.each([
  "yes",
  "Yes.",
  "y",
  "OK",
  "Approved — proceed with the apply phase.",
  "yes please",
  "go ahead",
  "LGTM",
  "apply it",
])("%j is yes", (text) => {
  expect(clearAnswer(text)).toBe("yes");
});

test.each(["no", "No!", "reject", "no thanks", "stop", "please"])("%j is not yes", (text) => {
  expect(clearAnswer(text)).not.toBe("yes");
});

test.each([
  "yes, but not the second file",
  "yes?",
  "approve everything except README",
  "don't",
  "not yes",
  "yes no",
  "maybe",
  "",
  "what does it change?",
  "ok if the tests pass",
  "apply to staging instead",
])("%j decides nothing", (text) => {
  expect(clearAnswer(text)).toBe("unclear");
});

test("a clear no is no", () => {
  for (const text of ["no", "No.", "reject it", "deny", "cancel the plan"])
    expect(clearAnswer(text)).toBe("no");
});
