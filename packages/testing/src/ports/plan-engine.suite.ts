import type { PlanEngine, PlanRun } from "@cleveragents/application";
import { afterEach, beforeEach, describe } from "vitest";
import { cancelSuite } from "./plan-engine/cancel.ts";
import { capacitySuite } from "./plan-engine/capacity.ts";
import { closeSuite } from "./plan-engine/close.ts";
import type { PlanEngineContext, PlanEngineHarness } from "./plan-engine/harness.ts";
import { startSuite } from "./plan-engine/start.ts";
import { statusSuite } from "./plan-engine/status.ts";
import { stepSuite } from "./plan-engine/step.ts";
import { takeoverSuite } from "./plan-engine/takeover.ts";
import { waitsSuite } from "./plan-engine/waits.ts";

export type { PlanEngineHarness } from "./plan-engine/harness.ts";

/** What every adapter of PlanEngine owes. */
export function planEngineSuite(name: string, openHarness: () => Promise<PlanEngineHarness>): void {
  describe(`PlanEngine: ${name}`, () => {
    let harness: PlanEngineHarness;
    beforeEach(async () => {
      harness = await openHarness();
    });
    afterEach(() => harness.dispose());

    const context: PlanEngineContext = {
      get harness() {
        return harness;
      },
      async opened(workflow: (run: PlanRun) => Promise<void>): Promise<PlanEngine> {
        const engine = harness.engine();
        await engine.open(workflow);
        return engine;
      },
    };

    startSuite(context);
    stepSuite(context);
    waitsSuite(context);
    cancelSuite(context);
    statusSuite(context);
    closeSuite(context);
    takeoverSuite(context);
    capacitySuite(context);
  });
}
