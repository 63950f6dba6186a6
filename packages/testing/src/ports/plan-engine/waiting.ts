import { setTimeout as delay } from "node:timers/promises";
import type { PlanEngine, PlanRunStatus } from "@cleveragents/application";
import { expect } from "vitest";

export async function ended(engine: PlanEngine, runId: string): Promise<boolean> {
  const status = await engine.status(runId);
  return status === "completed" || status === "failed" || status === "canceled";
}

/** Waits for a status; for a final one it stops at the first that is final, so that a wrong end shows at once. */
export async function reaches(engine: PlanEngine, runId: string, wanted: PlanRunStatus): Promise<void> {
  const deadline = performance.now() + 15_000;
  let seen = await engine.status(runId);
  // A run that was just queued is "waiting" as well: give it the time to begin.
  if (wanted === "waiting") {
    await delay(60);
    seen = await engine.status(runId);
  }
  while (seen !== wanted && performance.now() < deadline && !(await ended(engine, runId))) {
    await delay(3);
    seen = await engine.status(runId);
  }
  expect(await engine.status(runId)).toBe(wanted);
}

export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
