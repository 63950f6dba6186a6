import { type Kill, seedsOf, withSeed } from "@cleveragents/testing/chaos";
import { test } from "vitest";
import { killing, reference } from "./run-story.ts";
import { cancelled, cancelledAtOnce, partsUndone, tenSteps, twoAtOnce } from "./stories.ts";

const KILLS = 5;
const seeds = seedsOf({ env: process.env, seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] });

const RUNS = Math.ceil(Number(process.env["CHAOS_POINTS"] ?? "200") / KILLS);

/** Two hundred random points of a plan with two subplans, a conflict, a correction, an approval and two rollbacks. */
test.each(seedsOf({ env: process.env, seeds: Array.from({ length: RUNS }, (_, n) => 1000 + n) }))(
  "with seed %i, wherever owners die, a plan with subplans that is taken back and undone ends where one that nobody interrupts does",
  (seed) =>
    withSeed(seed, async (random) => {
      const kills = Array.from({ length: KILLS }, (): Kill => ({ at: `*:${random.int(1, 150)}` }));
      await killing(partsUndone, kills);
    }),
);

test.each(seeds)(
  "with seed %i, owners that are killed at any moment lose nothing and do nothing twice",
  (seed) =>
    withSeed(seed, async (random) => {
      const story = [tenSteps, twoAtOnce, cancelled, cancelledAtOnce][seed % 4] ?? tenSteps;
      const { tookMs } = await reference(story);
      const kills = Array.from(
        { length: KILLS },
        (): Kill => ({ afterMs: random.int(1, Math.ceil(tookMs)) }),
      );
      await killing(story, kills);
    }),
);
