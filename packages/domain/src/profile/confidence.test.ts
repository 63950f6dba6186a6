import fc from "fast-check";
import { expect, test } from "vitest";
import { type ConfidenceFacts, confidenceFrom } from "./confidence.ts";

const NEW: ConfidenceFacts = {
  decisions: 1,
  past: { succeeded: 0, failed: 0 },
  files: { total: 0, known: 0 },
  risk: { commands: 0, deletions: 0, notes: 0 },
  invariants: 0,
};

test("each factor is told with its weight, its value and why, and they add up", () => {
  const { value, factors, explanation } = confidenceFrom(NEW);
  expect(factors.map(({ name, weight, value: of }) => [name, weight, of])).toEqual([
    ["past_success", 0.3, 0.5],
    ["familiarity", 0.2, 0.5],
    ["low_risk", 0.3, 1],
    ["few_invariants", 0.2, 1],
  ]);
  expect(value).toBe(0.75);
  expect(explanation).toContain("0.3 × 0.5 past_success");
  expect(factors[0]?.why).toBe("0 of 0 earlier plans of this action were applied");
});

test("the weakest decision bounds it", () => {
  expect(confidenceFrom({ ...NEW, decisions: 0.4 })).toMatchObject({
    value: 0.4,
    explanation: expect.stringContaining("the weakest decision"),
  });
});

const count = fc.nat(50);
const facts = fc.record({
  decisions: fc.double({ min: 0, max: 1, noNaN: true }),
  past: fc.record({ succeeded: count, failed: count }),
  files: fc.tuple(count, count).map(([known, more]) => ({ known, total: known + more })),
  risk: fc.record({ commands: count, deletions: count, notes: count }),
  invariants: count,
});

test("it lies between 0 and 1; success raises it, and failure, risk and invariants lower it", () => {
  fc.assert(
    fc.property(facts, (of) => {
      const { value } = confidenceFrom(of);
      const past = (succeeded: number, failed: number) => ({
        ...of,
        past: { succeeded: of.past.succeeded + succeeded, failed: of.past.failed + failed },
      });
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
      expect(confidenceFrom(past(1, 0)).value).toBeGreaterThanOrEqual(value);
      expect(confidenceFrom(past(0, 1)).value).toBeLessThanOrEqual(value);
      const riskier = { ...of, risk: { ...of.risk, deletions: of.risk.deletions + 1 } };
      expect(confidenceFrom(riskier).value).toBeLessThanOrEqual(value);
      expect(confidenceFrom({ ...of, invariants: of.invariants + 1 }).value).toBeLessThanOrEqual(value);
    }),
  );
});
