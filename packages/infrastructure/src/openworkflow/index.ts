export { createPostgresPlanEngine, type PostgresPlanEngineDeps } from "./create-postgres-plan-engine.ts";
export { createSqlitePlanEngine, type SqlitePlanEngineDeps } from "./create-sqlite-plan-engine.ts";
export { PostgresHostRegistry, type PostgresHostRegistryDeps } from "./postgres-host-registry.ts";
