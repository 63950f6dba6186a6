import { setTimeout as delay } from "node:timers/promises";
import type { PlanRun } from "@cleveragents/application";
import type { JsonValue } from "@cleveragents/domain";
import { describe, expect, test } from "vitest";
import { input, type PlanEngineContext, STEPS } from "./harness.ts";
import { aborted, reaches } from "./waiting.ts";

export function takeoverSuite(context: PlanEngineContext): void {
  describe("takeover", () => {
    test("a run goes on from the last finished step after its process died", async () => {
      const { runId, begun } = await context.harness.dieInStepThree(input("t"));
      expect(begun).toEqual(["one", "two", "three"]);
      const again: string[] = [];
      const results: JsonValue[] = [];
      const engine = await context.opened(async (run) => {
        for (const step of STEPS) {
          results.push(
            await run.step(step, async () => {
              again.push(step);
              return { done: step };
            }),
          );
        }
      });
      const reopened = performance.now();
      await reaches(engine, runId, "completed");
      expect(performance.now() - reopened).toBeLessThan(1_500);
      expect(again).toEqual(["three", "four", "five"]);
      expect(results).toEqual(STEPS.map((done) => ({ done })));
    });

    test("at most one worker runs a run at a time", async () => {
      const active = new Map<string, number>();
      const calls: string[] = [];
      let overlaps = 0;
      const workflow = async (run: PlanRun): Promise<void> => {
        for (const step of ["a", "b", "c"]) {
          await run.step(step, async () => {
            const now = (active.get(run.runId) ?? 0) + 1;
            if (now > 1) overlaps += 1;
            active.set(run.runId, now);
            calls.push(`${run.runId} ${step}`);
            await delay(5);
            active.set(run.runId, now - 1);
            return null;
          });
        }
      };
      const [one, two] = [await context.opened(workflow), await context.opened(workflow)];
      const ids = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).start(input(`t${index}`))),
      );
      for (const id of ids) await reaches(one, id, "completed");
      expect(overlaps).toBe(0);
      expect(new Set(calls).size).toBe(calls.length);
      expect(calls).toHaveLength(60);
    });

    test("a worker that lost its run has its signal fired and records nothing more", async () => {
      const began = Promise.withResolvers<void>();
      const lost = Promise.withResolvers<void>();
      const calls: string[] = [];
      const engine = await context.opened(async (run) => {
        await run.step("first", async () => calls.push("first"));
        await run.step("second", async () => {
          if (calls.push("second") > 2) return null;
          began.resolve();
          await aborted(run.signal);
          lost.resolve();
          return null;
        });
        await run.step("third", async () => calls.push("third"));
      });
      const id = await engine.start(input("t"));
      await began.promise;
      await context.harness.takeAway(id, 1_500);
      await lost.promise;
      await delay(50);
      expect(calls).toEqual(["first", "second"]);
      expect(await engine.status(id)).toBe("running"); // elsewhere
      await reaches(engine, id, "completed");
      expect(calls).toEqual(["first", "second", "second", "third"]);
    });
  });
}
