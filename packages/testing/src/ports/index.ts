export { changesetStoreSuite } from "./changeset-store.suite.ts";
export { type PlanEngineHarness, planEngineSuite } from "./plan-engine.suite.ts";
export { registryStoreSuite } from "./registry-store.suite.ts";
export { sessionStoreSuite } from "./session-store.suite.ts";
export type { OpenStore, StoreDeps, StoreHarness } from "./store-harness.ts";
export { taskStoreSuite } from "./task-store.suite.ts";
export { type OpenWorkspace, type WorkspaceHarness, workspaceSuite } from "./workspace.suite.ts";
