import { setTimeout as delay } from "node:timers/promises";
import type { PlanRun } from "@cleveragents/application";
import { describe, expect, test } from "vitest";
import { input, type PlanEngineContext, STEPS } from "./harness.ts";
import { aborted, reaches } from "./waiting.ts";

export function closeSuite(context: PlanEngineContext): void {
  describe("close", () => {
    const fiveSteps = (begun: string[], atStep: (name: string, run: PlanRun) => Promise<void>) => {
      return async (run: PlanRun): Promise<void> => {
        for (const step of STEPS) {
          await run.step(step, async () => {
            begun.push(step);
            await atStep(step, run);
            return { done: step };
          });
        }
      };
    };

    test("waits for the step in flight, begins no other, and the next engine goes on at once", async () => {
      const begun: string[] = [];
      const inThree = Promise.withResolvers<void>();
      const fired: boolean[] = [];
      const first = await context.opened(
        fiveSteps(begun, async (step, run) => {
          if (step !== "three") return;
          inThree.resolve();
          await aborted(run.signal);
          await delay(50);
          fired.push(run.signal.aborted);
        }),
      );
      const id = await first.start(input("t"));
      await inThree.promise;
      await first.close(5_000);
      expect(begun).toEqual(["one", "two", "three"]);
      expect(fired).toEqual([true]);

      const second = await context.opened(fiveSteps(begun, async () => undefined));
      const reopened = performance.now();
      await reaches(second, id, "completed");
      expect(begun).toEqual(STEPS);
      expect(performance.now() - reopened).toBeLessThan(1_500);
    });

    test("gives up on a step that does not listen, which is repeated by the next engine", async () => {
      const begun: string[] = [];
      const inThree = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const first = await context.opened(
        fiveSteps(begun, async (step) => {
          if (step !== "three") return;
          inThree.resolve();
          await release.promise;
        }),
      );
      const id = await first.start(input("t"));
      await inThree.promise;
      const closing = performance.now();
      await first.close(100);
      expect(performance.now() - closing).toBeLessThan(5_000);

      const second = await context.opened(fiveSteps(begun, async () => undefined));
      await reaches(second, id, "completed");
      release.resolve(); // the old step ends after the run; nobody minds
      await delay(20);
      expect(begun).toEqual(["one", "two", "three", "three", "four", "five"]);
      expect(await second.status(id)).toBe("completed");
    });

    test("a step that throws because of it is not counted as an attempt", async () => {
      let calls = 0;
      const inStep = Promise.withResolvers<void>();
      const workflow = async (run: PlanRun): Promise<void> => {
        await run.step(
          "only",
          async () => {
            calls += 1;
            if (calls === 2) throw new Error("a failure of its own");
            if (calls === 3) return null;
            inStep.resolve();
            await aborted(run.signal);
            throw new Error("interrupted");
          },
          { attempts: 2 },
        );
      };
      const first = await context.opened(workflow);
      const id = await first.start(input("t"));
      await inStep.promise;
      await first.close();
      const second = await context.opened(workflow);
      await reaches(second, id, "completed");
      expect(calls).toBe(3);
    });

    test("a workflow that returns because of it has not completed its run", async () => {
      const inStep = Promise.withResolvers<void>();
      let passes = 0;
      const workflow = async (run: PlanRun): Promise<void> => {
        passes += 1;
        if (passes > 1) return;
        inStep.resolve();
        await aborted(run.signal);
      };
      const first = await context.opened(workflow);
      const id = await first.start(input("t"));
      await inStep.promise;
      await first.close();
      const second = await context.opened(workflow);
      await reaches(second, id, "completed");
      expect(passes).toBe(2);
    });

    test("leaves the sleeping asleep, and they wake in the next engine", async () => {
      const workflow = async (run: PlanRun): Promise<void> => run.waitForInput("gate", 60_000);
      const first = await context.opened(workflow);
      const id = await first.start(input("t"));
      await reaches(first, id, "waiting");
      await first.close();
      const second = await context.opened(workflow);
      expect(await second.status(id)).toBe("waiting");
      await second.signal("t");
      await reaches(second, id, "completed");
    });

    test("twice, or without having been opened, is no error", async () => {
      const unopened = context.harness.engine();
      await unopened.close();
      await unopened.close();
      const engine = await context.opened(async () => undefined);
      await Promise.all([engine.close(), engine.close()]);
    });
  });
}
