import { OpenWorkflowPlanEngine, type PlanEngineOptions } from "./open-workflow-plan-engine.ts";
import { openSqliteEngineStore } from "./sqlite-engine-store.ts";

export interface SqlitePlanEngineDeps extends PlanEngineOptions {
  /** The engine's own SQLite file; shared with another store, runs would die of "database is locked". */
  readonly path: string;
}

/** The engine of one data directory. */
export function createSqlitePlanEngine({ path, ...options }: SqlitePlanEngineDeps): OpenWorkflowPlanEngine {
  return new OpenWorkflowPlanEngine({
    ...options,
    openStore: () => openSqliteEngineStore(path, options.logger),
  });
}
