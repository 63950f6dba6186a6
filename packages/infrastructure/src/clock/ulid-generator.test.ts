import fc from "fast-check";
import { decodeTime, isValid } from "ulid";
import { describe, expect, it } from "vitest";
import { SystemClock } from "./system-clock.ts";
import { UlidGenerator } from "./ulid-generator.ts";

const sorted = (ids: readonly string[]): boolean =>
  ids.every((id, i) => i === 0 || (ids[i - 1] as string) < id);
const take = (generator: UlidGenerator, count: number): string[] =>
  Array.from({ length: count }, () => generator.next());

describe("UlidGenerator", () => {
  it("gives valid ULIDs that hold the time", () => {
    const generator = new UlidGenerator({ clock: { now: () => 1_700_000_000_123 } });
    const id = generator.next();
    expect(isValid(id)).toBe(true);
    expect(decodeTime(id)).toBe(1_700_000_000_123);
  });

  it("sorts in the order in which they were made, within one millisecond", () => {
    const ids = take(new UlidGenerator({ clock: { now: () => 5 } }), 1000);
    expect(sorted(ids)).toBe(true);
    expect(new Set(ids).size).toBe(1000);
  });

  it("keeps the order when the clock is set back", () => {
    const times = [1000, 1001, 3, 0, 1001, 999, 1002];
    const generator = new UlidGenerator({ clock: { now: () => times.shift() as number } });
    const ids = take(generator, 7);
    expect(sorted(ids)).toBe(true);
    expect(decodeTime(ids[6] as string)).toBe(1002);
  });

  it("keeps the order whatever the clock shows", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.integer({ min: -5, max: 20 }), fc.double({ min: 0, max: 2 ** 47, noNaN: true })),
          { minLength: 2 },
        ),
        (times) => {
          const queue = [...times];
          const ids = take(
            new UlidGenerator({ clock: { now: () => queue.shift() as number } }),
            times.length,
          );
          expect(sorted(ids)).toBe(true);
          expect(ids.every(isValid)).toBe(true);
        },
      ),
    );
  });

  it("goes on when the random part runs out", () => {
    const generator = new UlidGenerator({
      clock: { now: () => 7 },
      random: (bytes) => new Uint8Array(bytes).fill(255),
    });
    const ids = take(generator, 3);
    expect(ids[0]).toMatch(/Z{16}$/);
    expect(sorted(ids)).toBe(true);
    expect(ids.map(decodeTime)).toEqual([7, 8, 9]);
  });

  it("two generators do not give the same id", () => {
    const clock = { now: () => 7 };
    expect(new UlidGenerator({ clock }).next()).not.toBe(new UlidGenerator({ clock }).next());
  });
});

describe("SystemClock", () => {
  it("shows the time of this machine in milliseconds", () => {
    const before = Date.now();
    expect(new SystemClock().now()).toBeGreaterThanOrEqual(before);
    expect(new SystemClock().now()).toBeLessThan(before + 60_000);
  });
});
