import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { input, type PlanEngineContext } from "./harness.ts";
import { reaches } from "./waiting.ts";

export function capacitySuite(context: PlanEngineContext): void {
  test("fifty runs are worked off four at a time", async () => {
    let active = 0;
    let most = 0;
    const calls: string[] = [];
    const engine = await context.opened(async (run) => {
      for (const step of ["a", "b", "c"]) {
        await run.step(step, async () => {
          active += 1;
          most = Math.max(most, active);
          calls.push(`${run.runId} ${step}`);
          await delay(2);
          active -= 1;
          return null;
        });
      }
    });
    const ids = await Promise.all(Array.from({ length: 50 }, (_, index) => engine.start(input(`t${index}`))));
    for (const id of ids) await reaches(engine, id, "completed");
    expect(calls).toHaveLength(150);
    expect(new Set(calls).size).toBe(150);
    expect(most).toBe(4);
  });
}
