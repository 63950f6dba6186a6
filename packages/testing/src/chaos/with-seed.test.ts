import { expect, test } from "vitest";
import { randomOf } from "./random.ts";
import { seedsOf, withSeed } from "./with-seed.ts";

test("a seed gives the same numbers again, and another seed others", () => {
  const numbers = (seed: number) => {
    const random = randomOf(seed);
    return Array.from({ length: 20 }, () => random.int(1, 1000));
  };
  expect(numbers(7)).toEqual(numbers(7));
  expect(numbers(7)).not.toEqual(numbers(8));
  expect(Math.min(...numbers(7))).toBeGreaterThanOrEqual(1);
  expect(Math.max(...numbers(7))).toBeLessThanOrEqual(1000);
});

test("a failure says its seed and how to have it again", async () => {
  const failing = withSeed(42, async (random) => {
    throw new Error(`it broke at ${random.seed}`);
  });
  await expect(failing).rejects.toThrow(/with seed 42: it broke at 42\nagain: CHAOS_SEED=42 /);
});

test("CHAOS_SEED replays one seed; what is no number is refused", () => {
  expect(seedsOf({ env: {}, seeds: [1, 2] })).toEqual([1, 2]);
  expect(seedsOf({ env: { CHAOS_SEED: "9" }, seeds: [1, 2] })).toEqual([9]);
  expect(() => seedsOf({ env: { CHAOS_SEED: "nine" }, seeds: [1] })).toThrow(RangeError);
});
