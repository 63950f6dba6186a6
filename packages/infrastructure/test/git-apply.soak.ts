import { expect, test } from "vitest";
import { appliedWith, killedAt, stepsOf, whyNoDisk } from "./git-apply-hardship.ts";
import { applyAndUndo, mergeOfBoth, partAndRest } from "./git-apply-properties.ts";

const LONG = 3_600_000;

test("an apply of fifty files is killed at every step", { timeout: LONG }, async () => {
  for (const step of await stepsOf()) await killedAt(step);
});

const noDisk = whyNoDisk();
test.skipIf(noDisk !== undefined)(
  "the disk is full at every write of an apply",
  { timeout: LONG },
  async () => {
    let blocks = 0;
    while (!(await appliedWith(blocks))) blocks += 1;
    expect(blocks).toBeGreaterThan(50);
  },
);

test("apply gives the new tree, and undo the old one", { timeout: LONG }, () => applyAndUndo(300));
test("a part and the rest are all", { timeout: LONG }, () => partAndRest(300));
test("a merge equals both edits", { timeout: LONG }, () => mergeOfBoth(300));
