import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { PlanPlaces } from "./plan-places.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Places, and who was called, in order. */
function lined(places: number, wants: (planId: string) => boolean = () => true) {
  const called: string[] = [];
  const line = new PlanPlaces({
    places,
    call: async (planId) => void called.push(planId),
    wants: async (planId) => wants(planId),
  });
  return { line, called };
}

test("whoever came first has the next place, whoever asks first when it is free", () => {
  const { line, called } = lined(1);
  expect(line.enter("a", 1)).toBe(true);
  expect(line.enter("b", 2)).toBe(false);
  expect(line.enter("c", 3)).toBe(false);
  expect([line.positionOf("a"), line.positionOf("b"), line.positionOf("c")]).toEqual([undefined, 1, 2]);
  line.leave("a");
  expect(called).toEqual(["b"]);
  expect(line.enter("c", 3)).toBe(false);
  expect(line.enter("d", 4)).toBe(false);
  expect(line.enter("b", 2)).toBe(true);
  line.stop();
});

test("a plan that leaves the line makes room for those behind it", () => {
  const { line, called } = lined(1);
  line.enter("a", 1);
  line.enter("b", 2);
  line.enter("c", 3);
  line.leave("b");
  expect(line.positionOf("c")).toBe(1);
  line.leave("a");
  expect(called.at(-1)).toBe("c");
  expect(line.enter("c", 3)).toBe(true);
  line.stop();
});

test("a call that is lost is repeated until the plan comes", () => {
  vi.useFakeTimers();
  const { line, called } = lined(1);
  line.enter("a", 1);
  line.enter("b", 2);
  line.leave("a");
  vi.advanceTimersByTime(10_000);
  expect(called.length).toBeGreaterThan(3);
  expect(new Set(called)).toEqual(new Set(["b"]));
  line.enter("b", 2);
  called.length = 0;
  vi.advanceTimersByTime(100_000);
  expect(called).toEqual([]);
});

test("after a restart what was carried out goes on first, then the line as it was", () => {
  const { line } = lined(1);
  const plan = (planId: string, more: object) =>
    ({ planId, stage: { phase: "execute", state: "processing" }, steps: [], ...more }) as never;
  line.recall(plan("later", { queuedSince: 20 }));
  line.recall(plan("running", {}));
  line.recall(plan("earlier", { queuedSince: 10 }));
  line.recall(plan("asleep", { steps: [{ until: 5 }] }));
  expect(line.enter("later", 20)).toBe(false);
  expect(line.enter("running", 99)).toBe(true);
  line.leave("running");
  expect(line.enter("later", 20)).toBe(false);
  expect(line.enter("earlier", 10)).toBe(true);
  line.stop();
});

test("places of plans that went on elsewhere are found again, those that are worked on stay", async () => {
  const { line } = lined(2, (planId) => planId !== "gone");
  line.enter("lost", 1);
  line.enter("long", 2);
  line.works("long", true);
  line.enter("gone", 3);
  line.enter("next", 4);
  await line.tidy();
  expect(line.positionOf("next")).toBe(1);
  expect(line.enter("next", 4)).toBe(false);
  await line.tidy();
  expect(line.enter("next", 4)).toBe(true);
  expect(line.enter("another", 5)).toBe(false);
  line.stop();
});

test("there are never more holders than places, and nobody in the line is passed", () => {
  const act = fc.record({ who: fc.integer({ min: 0, max: 9 }), what: fc.constantFrom("enter", "leave") });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.array(act, { maxLength: 60 }), (places, acts) => {
      const { line } = lined(places);
      const holders = new Set<number>();
      const waiting: number[] = [];
      acts.forEach(({ who, what }, at) => {
        if (what === "leave") {
          line.leave(String(who));
          holders.delete(who);
          if (waiting.includes(who)) waiting.splice(waiting.indexOf(who), 1);
          return;
        }
        const held = holders.has(who);
        const placed = line.enter(String(who), at);
        if (held) {
          expect(placed).toBe(true);
          return;
        }
        if (!waiting.includes(who)) waiting.push(who);
        expect(placed).toBe(waiting.indexOf(who) < places - holders.size);
        if (placed) {
          waiting.splice(waiting.indexOf(who), 1);
          holders.add(who);
        }
        expect(holders.size).toBeLessThanOrEqual(places);
      });
      line.stop();
    }),
  );
});
