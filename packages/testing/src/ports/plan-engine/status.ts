import { describe, expect, test } from "vitest";
import { input, type PlanEngineContext } from "./harness.ts";
import { reaches } from "./waiting.ts";

export function statusSuite(context: PlanEngineContext): void {
  describe("status", () => {
    test("tells a queued, a running, a sleeping and a finished run apart", async () => {
      const began = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const engine = context.harness.engine();
      const id = await engine.start(input("t"));
      const seen = [await engine.status(id)];
      await engine.open(async (run) => {
        await run.step("work", async () => {
          began.resolve();
          await goOn.promise;
          return null;
        });
        await run.waitForInput("gate", 60_000);
      });
      await began.promise;
      seen.push(await engine.status(id));
      goOn.resolve();
      await reaches(engine, id, "waiting");
      seen.push(await engine.status(id));
      await engine.signal("t");
      await reaches(engine, id, "completed");
      seen.push(await engine.status(id));
      expect(seen).toEqual(["waiting", "running", "waiting", "completed"]);
    });
  });
}
