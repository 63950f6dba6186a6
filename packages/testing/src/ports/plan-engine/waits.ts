import { setTimeout as delay } from "node:timers/promises";
import type { PlanEngine } from "@cleveragents/application";
import { describe, expect, test } from "vitest";
import { input, type PlanEngineContext } from "./harness.ts";
import { ended, reaches } from "./waiting.ts";

export function waitsSuite(context: PlanEngineContext): void {
  describe("waitForInput and signal", () => {
    const waiting = async (timeoutMs: number) => {
      const woken: number[] = [];
      const wokenAfter = (since: number): number => (woken[0] ?? Number.NaN) - since;
      const engine = await context.opened(async (run) => {
        await run.step("before", async () => null);
        await run.waitForInput("gate", timeoutMs);
        await run.step("after", async () => woken.push(performance.now()));
      });
      return { engine, woken, wokenAfter };
    };

    test("a signal of the task wakes its run", async () => {
      const { engine, wokenAfter } = await waiting(60_000);
      const id = await engine.start(input("t"));
      await reaches(engine, id, "waiting");
      const sent = performance.now();
      await engine.signal("t");
      await reaches(engine, id, "completed");
      expect(wokenAfter(sent)).toBeLessThan(10_000);
    });

    test("the time-out wakes it without a signal, and not before", async () => {
      const { engine, woken, wokenAfter } = await waiting(200);
      const started = performance.now();
      await reaches(engine, await engine.start(input("t")), "completed");
      expect(woken).toHaveLength(1);
      expect(wokenAfter(started)).toBeGreaterThanOrEqual(195);
      expect(wokenAfter(started)).toBeLessThan(10_000);
    });

    test("a signal that comes before the wait is not kept, and the time-out still wakes", async () => {
      let slept = 0;
      const engine: PlanEngine = await context.opened(async (run) => {
        const from = await run.step("before", async () => {
          await engine.signal("t");
          return performance.now();
        });
        await run.waitForInput("gate", 300);
        slept = performance.now() - from;
      });
      await engine.signal("t");
      await reaches(engine, await engine.start(input("t")), "completed");
      expect(slept).toBeGreaterThanOrEqual(295);
    });

    test("a signal that nobody waits for is no error", async () => {
      const engine = await context.opened(async () => undefined);
      await expect(engine.signal("unknown")).resolves.toBeUndefined();
    });

    test("a signal of another task wakes nobody", async () => {
      const { engine, woken } = await waiting(60_000);
      const id = await engine.start(input("t"));
      await reaches(engine, id, "waiting");
      await engine.signal("u");
      await delay(100);
      expect(woken).toEqual([]);
      expect(await engine.status(id)).toBe("waiting");
    });

    test("a signal wakes every waiting run of the task", async () => {
      const { engine } = await waiting(60_000);
      const ids = await Promise.all([engine.start(input("t", 1, 0)), engine.start(input("t", 1, 1))]);
      for (const id of ids) await reaches(engine, id, "waiting");
      await engine.signal("t");
      for (const id of ids) await reaches(engine, id, "completed");
    });

    test("a wake-up while a run begins to wait is not lost", async () => {
      const { engine } = await waiting(60_000);
      const ids = await Promise.all(
        Array.from({ length: 10 }, (_, index) => engine.start(input(`t${index}`))),
      );
      const deadline = performance.now() + 30_000;
      // Signals all the time: some come before the wait, some while it begins, some after.
      await Promise.all(
        ids.map(async (id, index) => {
          while (!(await ended(engine, id)) && performance.now() < deadline) {
            await engine.signal(`t${index}`);
            await delay(1);
          }
        }),
      );
      for (const id of ids) expect(await engine.status(id)).toBe("completed");
    });

    test("a wait in a loop is a new wait each time, also under one name", async () => {
      let inbox = 0;
      const started = performance.now();
      const engine = await context.opened(async (run) => {
        for (let turn = 0; ; turn += 1) {
          if ((await run.step(`read-${turn}`, async () => ++inbox)) === 3) return;
          await run.waitForInput("inbox", 20);
        }
      });
      await reaches(engine, await engine.start(input("t")), "completed");
      expect(inbox).toBe(3);
      expect(performance.now() - started).toBeGreaterThanOrEqual(2 * 20);
    });

    test("a run that waits takes no place of those that could run", async () => {
      const engine = await context.opened(async (run) => {
        if (run.input.taskId.startsWith("sleeper")) await run.waitForInput("long", 60_000);
      });
      const sleepers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => engine.start(input(`sleeper-${index}`))),
      );
      for (const id of sleepers) await reaches(engine, id, "waiting");
      await reaches(engine, await engine.start(input("awake")), "completed");
    });

    test("a step beside a wait is finished and remembered before the run sleeps", async () => {
      let calls = 0;
      const engine = await context.opened(async (run) => {
        await Promise.all([
          run.step("beside", async () => {
            calls += 1;
            await delay(50);
            return null;
          }),
          run.waitForInput("gate", 10),
        ]);
      });
      await reaches(engine, await engine.start(input("t")), "completed");
      expect(calls).toBe(1);
    });
  });
}
