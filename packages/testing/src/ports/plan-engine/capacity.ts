import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { input, type PlanEngineContext } from "./harness.ts";
import { reaches } from "./waiting.ts";

export function capacitySuite(context: PlanEngineContext): void {
  test("fifty runs are worked off, at most four at a time", async () => {
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
    // On a slow day a place is filled only when the next one is free already.
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
  });

  test("runs begin in the order in which they were queued", async () => {
    const began: string[] = [];
    const engine = context.harness.engine();
    const queued: string[] = [];
    for (let n = 0; n < 12; n++) {
      queued.push(await engine.start(input(`t${n}`)));
      await delay(3);
    }
    await engine.open(async (run) => {
      await run.step("only", async () => {
        began.push(run.runId);
        await delay(5);
        return null;
      });
    });
    for (const id of queued) await reaches(engine, id, "completed");
    // Four at a time: among those that are taken up together, who is first is nobody's promise.
    const places = began.map((id, place) => queued.indexOf(id) - place);
    expect(places.filter((moved) => Math.abs(moved) > 4)).toEqual([]);
  });

  test("runs that wait hold no place: the others end, and then the waiting do", async () => {
    const engine = await context.opened(async (run) => {
      if (run.input.taskId.startsWith("waits")) await run.waitForInput("gate", 600_000);
      else await run.step("only", async () => delay(2).then(() => null));
    });
    const all = (what: string) =>
      Promise.all(Array.from({ length: 50 }, (_, n) => engine.start(input(`${what}${n}`))));
    const waiting = await all("waits");
    const working = await all("works");
    for (const id of working) await reaches(engine, id, "completed");
    for (const id of waiting) expect(await engine.status(id)).toBe("waiting");
    for (let n = 0; n < 50; n++) await engine.signal(`waits${n}`);
    for (const id of waiting) await reaches(engine, id, "completed");
  });
}
