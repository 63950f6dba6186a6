import fc from "fast-check";
import { expect, test } from "vitest";
import { BUILTIN_PROFILES, builtinProfile, UnknownProfileError } from "./builtin-profiles.ts";
import { GATES, PHASE_GATE, proceeds } from "./profile.ts";

test("a threshold of 1 never passes, one of 0 always does", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...GATES), (confidence, gate) => {
      expect(proceeds(builtinProfile("manual"), gate, confidence)).toBe(false);
      expect(proceeds(builtinProfile("ci"), gate, confidence)).toBe(true);
    }),
  );
});

test("between them confidence decides, and reaching the threshold is enough", () => {
  const cautious = builtinProfile("cautious");
  expect(proceeds(cautious, "create_tool", 0.7)).toBe(true);
  expect(proceeds(cautious, "create_tool", 0.69)).toBe(false);
});

test("which phases each profile starts by itself", () => {
  const phases = BUILTIN_PROFILES.map(({ name }) => [
    name,
    ...Object.values(PHASE_GATE).map((gate) => proceeds(builtinProfile(name), gate, 1)),
  ]);
  expect(phases).toEqual([
    ["manual", false, false, false],
    ["review", true, true, false],
    ["supervised", true, false, false],
    ["cautious", true, true, false],
    ["trusted", true, true, false],
    ["auto", true, true, false],
    ["ci", true, true, true],
    ["full-auto", true, true, true],
  ]);
});

test("an unknown profile is an error that lists the known ones, never a fallback", () => {
  expect(() => builtinProfile("yolo")).toThrow(UnknownProfileError);
  expect(new UnknownProfileError("yolo").known).toContain("supervised");
});
