import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { input, type PlanEngineContext } from "./harness.ts";
import { aborted, reaches } from "./waiting.ts";

export function cancelSuite(context: PlanEngineContext): void {
  describe("cancel", () => {
    test("in a step, it fires the signal, and no further step begins", async () => {
      const began = Promise.withResolvers<void>();
      const calls: string[] = [];
      const seen: { signal?: AbortSignal } = {};
      const over = Promise.withResolvers<void>();
      const engine = await context.opened(async (run) => {
        await run
          .step("long", async () => {
            seen.signal = run.signal;
            began.resolve();
            await aborted(run.signal);
            return null;
          })
          .catch(() => undefined);
        await run.step("next", async () => calls.push("next")).catch(() => undefined);
        over.resolve();
      });
      const id = await engine.start(input("t"));
      await began.promise;
      await engine.cancel(id);
      expect(seen.signal?.aborted).toBe(true); // at once, not when the lease is next renewed
      expect(await engine.status(id)).toBe("canceled");
      await over.promise;
      await delay(50);
      expect(calls).toEqual([]);
      expect(await engine.status(id)).toBe("canceled");
    });

    test("a step that throws because of it does not fail the run", async () => {
      const began = Promise.withResolvers<void>();
      const engine = await context.opened(async (run) => {
        await run.step("long", async () => {
          began.resolve();
          await delay(10_000, undefined, { signal: run.signal });
          return null;
        });
      });
      const id = await engine.start(input("t"));
      await began.promise;
      await engine.cancel(id);
      await delay(100);
      expect(await engine.status(id)).toBe("canceled");
    });

    test("a run that waits never wakes", async () => {
      let woken = 0;
      const engine = await context.opened(async (run) => {
        await run.waitForInput("gate", 1000);
        woken += 1;
      });
      const id = await engine.start(input("t"));
      await reaches(engine, id, "waiting");
      await engine.cancel(id);
      await engine.signal("t");
      await delay(1200);
      expect(await engine.status(id)).toBe("canceled");
      expect(woken).toBe(0);
    });

    test("a run that has not begun never begins", async () => {
      let calls = 0;
      const engine = context.harness.engine();
      const id = await engine.start(input("t"));
      await engine.cancel(id);
      await engine.open(async () => {
        calls += 1;
      });
      await delay(100);
      expect(await engine.status(id)).toBe("canceled");
      expect(calls).toBe(0);
    });

    test("a run that has ended, and one that is unknown, are left alone", async () => {
      const engine = await context.opened(async (run) => {
        if (run.input.taskId === "bad") throw new Error("bug");
      });
      const good = await engine.start(input("good"));
      const bad = await engine.start(input("bad"));
      await reaches(engine, good, "completed");
      await reaches(engine, bad, "failed");
      await engine.cancel(good);
      await engine.cancel(bad);
      await engine.cancel("unknown");
      expect(await engine.status(good)).toBe("completed");
      expect(await engine.status(bad)).toBe("failed");
      expect(await engine.status("unknown")).toBeUndefined();
    });

    test("a cancelled run stays ended when it is started again or its engine is replaced", async () => {
      const engine = context.harness.engine();
      const id = await engine.start(input("t"));
      await engine.cancel(id);
      expect(await engine.start(input("t"))).toBe(id);
      await engine.close();
      const next = await context.opened(async () => undefined);
      await delay(50);
      expect(await next.status(id)).toBe("canceled");
    });
  });
}
