/** One place where a task's events are posted. */
export interface PushKey {
  readonly taskId: string;
  readonly configId: string;
}

/** What a client has asked for. */
export interface PushConfig extends PushKey {
  readonly principal: string;
  readonly url: string;
  /** Handed to the receiver so that it knows who calls. A secret, like the credentials. */
  readonly token?: string;
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
  /** The version of A2A that it was asked for in, and so that of what is posted. */
  readonly version: "1.0" | "0.3";
  readonly createdAt: number;
}

/** `delivered`: the task's last event has arrived; `given-up`: the receiver is not tried any more. */
export type PushState = "active" | "delivered" | "given-up";

export interface PushRow extends PushConfig {
  readonly state: PushState;
  /** Every event up to this one has arrived. */
  readonly deliveredSeq: number;
  /** Failures since the last event that arrived. */
  readonly attempts: number;
  readonly failingSince?: number;
  readonly nextAttemptAt: number;
  /** Why the last attempt failed. */
  readonly failure?: string;
  /** Who delivers until then, and nobody else. */
  readonly lease?: PushLease;
}

export interface PushLease {
  readonly holder: string;
  readonly until: number;
}

export interface PushFailure {
  readonly attempts: number;
  readonly failingSince: number;
  /** Where it is given up, when that was. */
  readonly nextAttemptAt: number;
  readonly failure: string;
  readonly givenUp: boolean;
}

/** How it stands with notifications, for whoever looks after the agent. */
export interface PushCounts {
  /** Receivers to whom something is owed. */
  readonly waiting: number;
  /** Of those, the ones whose last attempt has failed. */
  readonly failing: number;
  /** Receivers that were given up. */
  readonly givenUp: number;
}

/**
 * Where events are owed to, and how far each receiver is. What is owed stands nowhere else: it is the task's log after
 * `deliveredSeq`. A change is durable when it answers. Everything that a deliverer writes is void, and answers
 * undefined or false, once its lease is somebody else's or the row is gone. A row goes with its task.
 */
export interface PushStore {
  /**
   * Adds a row at this place of the log, or gives the one of the same key what is asked for now: it keeps its age and
   * its place in the log, what has failed is tried again at once, and its lease ends, so that whoever is delivering
   * what was asked for before writes nothing more.
   */
  put(config: PushConfig, at: { readonly seq: number; readonly state: PushState }): Promise<PushRow>;
  find(key: PushKey): Promise<PushRow | undefined>;
  /** Oldest first. */
  ofTask(taskId: string): Promise<readonly PushRow[]>;
  /** Whether or not there is one. */
  remove(key: PushKey): Promise<void>;
  /** All that are active. */
  active(): Promise<readonly PushKey[]>;
  /** At most so many of the active that lag behind their log, may be tried now, and are nobody's. Longest due first. */
  due(now: number, limit: number): Promise<readonly PushKey[]>;
  /** Leases an active row that may be tried now and is nobody else's. */
  claim(key: PushKey, lease: PushLease, now: number): Promise<PushRow | undefined>;
  renew(key: PushKey, lease: PushLease): Promise<boolean>;
  /** An event has arrived; `last` ends the row's work and its lease, else the lease goes on. */
  advance(key: PushKey, lease: PushLease, seq: number, last: boolean): Promise<PushRow | undefined>;
  /** An attempt has failed; ends the lease. */
  fail(key: PushKey, holder: string, failure: PushFailure): Promise<boolean>;
  /** `givenUp`: those since that time. */
  counts(since: number): Promise<PushCounts>;
  /** Ends the leases of a holder, or of all. */
  free(holder?: string): Promise<void>;
}
