import { test } from "vitest";
import { checkRepositories } from "./git-random-property.ts";

test("for any repository and any edits by shell, Python and git, the diff is that of the trees, and apply gives the new one", async () => {
  await checkRepositories({ numRuns: 2, seed: 20_261 });
}, 120_000);
