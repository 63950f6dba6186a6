import { test } from "vitest";
import { checkRepositories } from "./git-random-property.ts";

test("for any of many repositories the diff is that of the trees, and apply gives the new one", async () => {
  await checkRepositories({ numRuns: 300 });
}, 3_600_000);
