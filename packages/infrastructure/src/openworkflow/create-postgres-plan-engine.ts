import { OpenWorkflowPlanEngine, type PlanEngineOptions } from "./open-workflow-plan-engine.ts";
import { openPostgresEngineStore, type PostgresEngineStoreOptions } from "./postgres-engine-store.ts";

export type PostgresPlanEngineDeps = Omit<PlanEngineOptions, "exclusive"> & PostgresEngineStoreOptions;

/** The engine of one host among several processes on one database; the processes of a host share its namespace. */
export function createPostgresPlanEngine(deps: PostgresPlanEngineDeps): OpenWorkflowPlanEngine {
  const { url, namespace, poolSize, connectTimeoutMs, ...options } = deps;
  return new OpenWorkflowPlanEngine({
    ...options,
    exclusive: false,
    openStore: () => openPostgresEngineStore({ url, namespace, poolSize, connectTimeoutMs }),
  });
}
