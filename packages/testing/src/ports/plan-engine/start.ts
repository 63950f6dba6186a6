import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { input, type PlanEngineContext } from "./harness.ts";
import { reaches } from "./waiting.ts";

export function startSuite(context: PlanEngineContext): void {
  describe("start", () => {
    test("the same input twice is the same run, which runs once", async () => {
      let calls = 0;
      const engine = await context.opened(async (run) => {
        await run.step("count", async () => ++calls);
      });
      const first = await engine.start(input("t"));
      const second = await engine.start(input("t"));
      await reaches(engine, first, "completed");
      const third = await engine.start(input("t"));
      expect([second, third]).toEqual([first, first]);
      await delay(50);
      expect(calls).toBe(1);
    });

    test("the same input at the same moment is the same run", async () => {
      const engine = context.harness.engine();
      const ids = await Promise.all(Array.from({ length: 5 }, () => engine.start(input("t"))));
      expect(new Set(ids).size).toBe(1);
    });

    test("another epoch, part or task is another run", async () => {
      const engine = context.harness.engine();
      const ids = await Promise.all(
        [input("t"), input("t", 2), input("t", 1, 1), input("u")].map((each) => engine.start(each)),
      );
      expect(new Set(ids).size).toBe(4);
    });

    test("a run that is started before the engine opens waits for it", async () => {
      const engine = context.harness.engine();
      const id = await engine.start(input("t"));
      expect(await engine.status(id)).toBe("waiting");
      await engine.open(async () => undefined);
      await reaches(engine, id, "completed");
    });

    test("a run that is started outlives its engine", async () => {
      const before = context.harness.engine();
      const id = await before.start(input("t"));
      await before.close();
      const after = await context.opened(async () => undefined);
      await reaches(after, id, "completed");
    });

    test("the workflow is given the run's id and input", async () => {
      let seen: unknown;
      const engine = await context.opened(async (run) => {
        seen = { runId: run.runId, input: run.input };
      });
      const id = await engine.start(input("t", 3, 2));
      await reaches(engine, id, "completed");
      expect(seen).toEqual({ runId: id, input: { taskId: "t", epoch: 3, part: 2 } });
    });

    test("a run begins at once, not at the next poll", async () => {
      let began = 0;
      const engine = await context.opened(async () => {
        began = performance.now();
      });
      await reaches(engine, await engine.start(input("warm")), "completed");
      await delay(300); // let any polling settle into its idle pace
      const started = performance.now();
      await reaches(engine, await engine.start(input("t")), "completed");
      // Not a measurement: an engine that only polls would take its idle pace, which is seconds.
      expect(began - started).toBeLessThan(900);
    });
  });
}
