import { expect, test } from "vitest";
import { appliedWith, killedAt, stepsOf, whyNoDisk } from "./git-apply-hardship.ts";

test("an apply of fifty files that is killed leaves all of it or none of it", async () => {
  const steps = await stepsOf();
  expect(steps.length).toBeGreaterThan(50);
  // One in each half of what is decided.
  for (const step of [steps[20], steps.at(-20)]) await killedAt(step ?? "");
}, 300_000);

const noDisk = whyNoDisk();
test.skipIf(noDisk !== undefined)(
  `a disk that is full leaves all of an apply or none of it${noDisk === undefined ? "" : ` (skipped: ${noDisk})`}`,
  async () => {
    const enough: boolean[] = [];
    for (const blocks of [0, 60, 4000]) enough.push(await appliedWith(blocks));
    expect(enough).toEqual([false, false, true]);
  },
  300_000,
);
