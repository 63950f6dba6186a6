import type { Backend } from "openworkflow/internal";

/** What a database gives the engine: OpenWorkflow's own interface, and the one look-up that it lacks. */
export interface EngineStore {
  readonly backend: Backend;
  /** The oldest run of this key, however old: OpenWorkflow itself forgets a key after 24 hours. */
  findRunId(workflowName: string, idempotencyKey: string): Promise<string | undefined>;
  close(): Promise<void>;
}
