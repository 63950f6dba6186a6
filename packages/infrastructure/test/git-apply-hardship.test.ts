import { expect, test } from "vitest";
import { appliedWith, killedAt, whyNoDisk } from "./git-apply-hardship.ts";

test("an apply of fifty files that is killed leaves all of it or none of it", async () => {
  // One before it is decided, and one in the middle of what is decided; every step of them in git-apply.soak.ts.
  for (const step of ["staged-one", "replaced dir3/file24.txt"]) await killedAt(step);
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
