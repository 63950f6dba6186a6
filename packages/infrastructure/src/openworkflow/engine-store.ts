import type { Backend } from "openworkflow/internal";

/** What a database gives the engine: OpenWorkflow's own interface, and the one look-up that it lacks. */
export interface EngineStore {
  readonly backend: Backend;
  /** The oldest run of this key, however old: OpenWorkflow itself forgets a key after 24 hours. */
  findRunId(workflowName: string, idempotencyKey: string): Promise<string | undefined>;
  /** Removes at most `limit` runs that began and ended before a time, with all that is recorded of them; says how many. */
  removeEnded(before: Date, limit: number): Promise<number>;
  /** Makes what is to go on later go on now, where this process's own clock says when that is. */
  wakeSleepers?(): Promise<void>;
  close(): Promise<void>;
}
