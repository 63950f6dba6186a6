import { type Kill, seedsOf, withSeed } from "@cleveragents/testing/chaos";
import { test } from "vitest";
import { killing, reference } from "./run-story.ts";
import { cancelled, cancelledAtOnce, tenSteps, twoAtOnce } from "./stories.ts";

const KILLS = 5;
const seeds = seedsOf({ env: process.env, seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] });

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
