import { expect, test } from "vitest";
import { appliedWith, killedAt, whyNoDisk } from "./git-apply-hardship.ts";

test("an apply of fifty files that is killed leaves all of it or none of it", async () => {
  // In the middle of what is decided; each of its steps in git-apply.soak.ts.
  await killedAt("replaced dir3/file24.txt");
}, 300_000);

const noDisk = whyNoDisk();
test.skipIf(noDisk !== undefined)(
  `a disk that is full leaves all of an apply or none of it${noDisk === undefined ? "" : ` (skipped: ${noDisk})`}`,
  async () => {
    const enough: boolean[] = [];
    for (const blocks of [60, 4000]) enough.push(await appliedWith(blocks));
    expect(enough).toEqual([false, true]);
  },
  300_000,
);
