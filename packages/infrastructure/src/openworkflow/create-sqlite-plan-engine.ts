import { OpenWorkflowPlanEngine, type PlanEngineOptions } from "./open-workflow-plan-engine.ts";
import { openSqliteEngineStore } from "./sqlite-engine-store.ts";

export interface SqlitePlanEngineDeps extends PlanEngineOptions {
  /** The engine's own SQLite file; shared with another store, runs would die of "database is locked". */
  readonly path: string;
  /** Told, once, when damage of the file is met: only a new engine on this path can go on. */
  readonly onDamaged?: (() => void) | undefined;
}

/** The engine of one data directory. */
export function createSqlitePlanEngine(deps: SqlitePlanEngineDeps): OpenWorkflowPlanEngine {
  const { path, onDamaged, ...options } = deps;
  const { logger } = options;
  let told = false;
  const tell = ({ what }: { readonly what: string }) => {
    if (told) return;
    told = true;
    logger.error({ damage: what }, "the engine's database is damaged: nothing more can be recorded in it");
    onDamaged?.();
  };
  return new OpenWorkflowPlanEngine({
    ...options,
    openStore: () => openSqliteEngineStore({ path, logger, onDamaged: tell }),
  });
}
