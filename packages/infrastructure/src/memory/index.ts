export { InMemoryApiKeyStore } from "./in-memory-api-key-store.ts";
export { InMemoryChangesetStore } from "./in-memory-changeset-store.ts";
export { InMemoryGraphCheckpoints } from "./in-memory-graph-checkpoints.ts";
export { InMemoryEngineState, InMemoryPlanEngine } from "./in-memory-plan-engine.ts";
export { InMemoryPushStore } from "./in-memory-push-store.ts";
export { InMemoryRegistryStore } from "./in-memory-registry-store.ts";
export { InMemorySessionStore } from "./in-memory-session-store.ts";
export { InMemoryTaskStore } from "./in-memory-task-store.ts";
