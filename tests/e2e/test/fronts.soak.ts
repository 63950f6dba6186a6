import { expect, test } from "vitest";
import { followThroughDeaths, StdioFront, startPlan } from "./fronts-support.ts";
import { Place } from "./support.ts";

test("a stream over stdio through 20 deaths of the owner: every event once, in order", async () => {
  await using place = new Place();
  const plan = await startPlan(
    place,
    Array.from({ length: 60 }, (_, n) => `sleep 0.2; echo ${n}`),
  );
  const front = new StdioFront(place);
  const seed = Number(process.env["SEED"] ?? Date.now() % 100_000);
  const { numbers, state, killed } = await followThroughDeaths(front, place, plan, 20, seed);
  expect(killed, `seed ${seed}`).toBe(20);
  expect(numbers, `seed ${seed}`).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  expect(state).toBe("TASK_STATE_COMPLETED");
  const whole = await place.agents(["plan", "status", plan, "-o", "json"]);
  expect(JSON.parse(whole.stdout)).toMatchObject({ progress: { completed_steps: 60 } });
  await front.close();
});
