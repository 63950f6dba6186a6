import type { PlanEngine, PlanRun, PlanRunInput } from "@cleveragents/application";

/** One durable state and the engines on it. */
export interface PlanEngineHarness {
  /** A new engine, not open yet: four runs at a time, step retries after a few milliseconds. */
  engine(): PlanEngine;
  /**
   * Starts this run in an engine of its own, whose workflow does the steps `one` to `five`, each answering
   * `{ done: <name> }`, and which dies without a farewell inside step `three`. Answers the steps that had begun.
   */
  dieInStepThree(input: PlanRunInput): Promise<{ readonly runId: string; readonly begun: readonly string[] }>;
  /** Gives the run to a worker elsewhere, which dies `forMs` later. */
  takeAway(runId: string, forMs: number): Promise<void>;
  /** Closes every engine that is left, and removes the state. */
  dispose(): Promise<void>;
}

/** What the parts of the suite share: the harness of the present test, and an engine that is open. */
export interface PlanEngineContext {
  readonly harness: PlanEngineHarness;
  opened(workflow: (run: PlanRun) => Promise<void>): Promise<PlanEngine>;
}

export const STEPS = ["one", "two", "three", "four", "five"];
export const input = (taskId: string, epoch = 1, part = 0): PlanRunInput => ({ taskId, epoch, part });
