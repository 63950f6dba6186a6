import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { FAIL_POINTS } from "@cleveragents/application";
import { type Kill, type Random, seedsOf, withSeed } from "@cleveragents/testing/chaos";
import { describe, expect, test } from "vitest";
import { server } from "./programs.ts";
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

/** What `npm run build` has made, as every test of a whole program takes it. */
const RELEASE = fileURLToPath(new URL("../../../apps/server/dist", import.meta.url));

function textOf(directory: string): string {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".mjs"))
    .map((name) => readFileSync(join(directory, name), "utf8"))
    .join("\n");
}

/** Names, sentences and variables; the ports' own way through constructors is no trace that anybody could use. */
const TRACES = [
  ...Object.entries(FAIL_POINTS).flat(),
  "CLEVERAGENTS_FAIL_POINT",
  "__CLEVERAGENTS_RELEASE__",
  "WITH_FAIL_POINTS",
];

test("a release has no trace of fail points, which a test build has", { timeout: 120_000 }, async () => {
  const release = textOf(RELEASE);
  expect(release).toContain("CLEVERAGENTS_DATA_DIR");
  expect(TRACES.filter((trace) => release.includes(trace))).toEqual([]);
  const [program = ""] = (await server()).args;
  const built = textOf(dirname(program));
  expect(Object.keys(FAIL_POINTS).filter((name) => !built.includes(`"${name}"`))).toEqual([]);
});
