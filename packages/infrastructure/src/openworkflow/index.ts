export { createSqlitePlanEngine, type SqlitePlanEngineDeps } from "./create-sqlite-plan-engine.ts";
