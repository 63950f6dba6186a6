import type { ChaosPlace, Kill } from "@cleveragents/testing/chaos";
import { expect, test } from "vitest";
import { killing, reference } from "./run-story.ts";
import { cancelled, cancelledAtOnce, contested, parts, type Story, tenSteps } from "./stories.ts";
import { STORY_POINTS } from "./story-points.ts";

const died = new Set<string>();
const RESTORING = ["plan.step.restored", "workspace.restore.read", "workspace.restore.removed"];
const CANCELLING = STORY_POINTS.filter((point) => point.startsWith("service.cancel."));

/** Each owner dies at the first of these points that it comes by, and none at one where another has died. */
function everyOne(points: readonly string[]): (place: ChaosPlace) => Kill | undefined {
  return (place) => {
    const left = points.filter((point) => !place.diedAt.includes(point));
    return left.length === 0 ? undefined : { at: left.join(",") };
  };
}

/** A death may be the end of what it interrupts: then the points after it are for the next telling. */
async function dieEverywhere(
  story: Story,
  points: readonly string[],
  expected: Parameters<typeof killing>[2],
): Promise<void> {
  for (let left = points; left.length > 0; ) {
    const told = await killing(story, everyOne(left), expected);
    expect(told.diedAt, `none of ${left.join(", ")} is passed`).not.toEqual([]);
    for (const point of told.diedAt) died.add(point);
    left = left.filter((point) => !told.diedAt.includes(point));
  }
}

test("killed at every point, one after the other, a plan ends as if nobody had interrupted it", async () => {
  const expected = await reference(tenSteps);
  await dieEverywhere(tenSteps, [...new Set([...expected.passed, ...RESTORING])], expected);
});

test("killed at every point of subplans, one after the other, a plan and what it starts end as if nobody had interrupted them", async () => {
  const expected = await reference(parts);
  const own = /^plan\.(child|children|correction)\./;
  await dieEverywhere(parts, [...new Set(expected.passed.filter((point) => own.test(point)))], expected);
});

test("killed at every point of cancelling, a plan is cancelled and leaves nothing", async () => {
  await dieEverywhere(cancelled, CANCELLING, { outcomes: [], tree: {} });
});

test("killed at every point that it passes, a plan that is cancelled at once leaves nothing", async () => {
  const told = await killing(cancelledAtOnce, everyOne(STORY_POINTS), { outcomes: [], tree: {} });
  expect(told.outcomes.map(({ state }) => state)).toEqual(["canceled"]);
});

test.each(["workspace.apply.reverting", "workspace.apply.put-back"])(
  "killed at %s, an apply that the user got in the way of is taken back all the same",
  async (point) => {
    const first = contested.first.flatMap((kill) => ("at" in kill ? [{ at: `${kill.at},${point}` }] : []));
    const { tree } = await reference(tenSteps);
    const told = await killing({ ...contested, first }, [], { outcomes: [], tree });
    expect(told.diedAt).toEqual([point]);
    died.add(point);
  },
);

test("owners have died at every fail point by now", () => {
  expect(STORY_POINTS.filter((name) => !died.has(name))).toEqual([]);
});
