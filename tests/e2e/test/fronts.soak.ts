import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { followThroughDeaths, StdioFront, startPlan } from "./fronts-support.ts";
import { isAlive, Place, until } from "./support.ts";

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

test("an owner leaves a silent front, which comes back when its client speaks, and stays gone when it does not", {
  timeout: 120_000,
}, async () => {
  await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "1" });
  mkdirSync(place.dataDir);
  const front = new StdioFront(place);
  expect(await front.ask(1, "ListTasks")).toMatchObject({ result: {} });
  const { pid } = place.discovery();
  await until(() => !isAlive(pid));
  expect(front.child.exitCode).toBe(null);
  expect(await front.ask(2, "ListTasks")).toMatchObject({ result: {} });
  const next = place.discovery().pid;
  expect(next).not.toBe(pid);
  expect(await front.close()).toMatchObject({ code: 0 });
  await until(() => !isAlive(next));
});
