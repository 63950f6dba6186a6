import { type Kill, type Random, seedsOf, withSeed } from "@cleveragents/testing/chaos";
import { describe, expect, test } from "vitest";
import { killing, reference } from "./run-story.ts";
import { cancelled, contested, tenSteps } from "./stories.ts";
import { STORY_POINTS } from "./story-points.ts";

const SLOW = 600_000;
const seeds = seedsOf({ env: process.env, seeds: [1] });
const passed = new Set<string>();

/** After so many passes of any fail points: a start takes a handful of them, a step about twenty. */
const somewhere = (random: Random): Kill => ({ at: `*:${random.int(1, 90)}` });

const APPLY_POINTS = STORY_POINTS.filter(
  (name) => name.startsWith("workspace.apply.") && !/revert|put-back/.test(name),
);

describe.each(seeds)("with seed %i", (seed) => {
  test("a plan whose owners are killed ends as one that nobody interrupts", { timeout: SLOW }, () =>
    withSeed(seed, async (random) => {
      const kills: Kill[] = [
        { at: "plan.step.ran:2" },
        somewhere(random),
        { at: `${random.pick(APPLY_POINTS)}:1` },
        // Whoever comes next settles the apply, and is killed before it does anything else.
        { at: "owner.recovered:1" },
      ];
      for (const told of [await reference(tenSteps), await killing(tenSteps, kills)])
        for (const point of told.passed) passed.add(point);
    }),
  );

  test("a plan that is cancelled while owners die is cancelled and leaves nothing", { timeout: SLOW }, () =>
    withSeed(seed, async (random) => {
      const kills: Kill[] = [
        { at: `plan.step.started:${random.int(1, 2)}` },
        { at: "service.cancel.cleaned:1" },
      ];
      const told = await killing(cancelled, kills, { outcomes: [], tree: {} });
      expect(told.outcomes.map(({ state }) => state)).toEqual(["canceled"]);
      for (const name of told.passed) passed.add(name);
    }),
  );
});

test("an apply that the user gets in the way of is taken back, and can be repeated", {
  timeout: SLOW,
}, async () => {
  const expected = await reference(tenSteps);
  const told = await killing(contested, [], { outcomes: [], tree: expected.tree });
  for (const point of told.passed) passed.add(point);
});

/** Of plans that start others and are corrected: killed at each of them in fail-points.soak.ts. */
const OF_PARTS = /^plan\.(child|correction)/;

test("every fail point has been passed by now", () => {
  expect(STORY_POINTS.filter((name) => !passed.has(name) && !OF_PARTS.test(name))).toEqual([]);
});
