import type {
  PushConfig,
  PushCounts,
  PushFailure,
  PushKey,
  PushLease,
  PushRow,
  PushState,
  PushStore,
  TaskStore,
} from "@cleveragents/application";

/** Push configurations of one process, gone with it; their tasks are in another store. */
export class InMemoryPushStore implements PushStore {
  readonly #tasks: Pick<TaskStore, "load">;
  readonly #rows = new Map<string, PushRow>();

  constructor(deps: { readonly tasks: Pick<TaskStore, "load"> }) {
    this.#tasks = deps.tasks;
  }

  async put(
    config: PushConfig,
    { seq, state }: { readonly seq: number; readonly state: PushState },
  ): Promise<PushRow> {
    const before = this.#rows.get(nameOf(config));
    const row: PushRow = {
      ...structuredClone(config),
      createdAt: before?.createdAt ?? config.createdAt,
      principal: before?.principal ?? config.principal,
      state: before === undefined ? state : before.state === "delivered" ? "delivered" : "active",
      deliveredSeq: before?.deliveredSeq ?? seq,
      attempts: 0,
      nextAttemptAt: 0,
    };
    return this.#keep(row);
  }

  async find(key: PushKey): Promise<PushRow | undefined> {
    return structuredClone(this.#rows.get(nameOf(key)));
  }

  async ofTask(taskId: string): Promise<readonly PushRow[]> {
    return [...this.#rows.values()]
      .filter((row) => row.taskId === taskId)
      .sort((a, b) => a.createdAt - b.createdAt || (a.configId < b.configId ? -1 : 1))
      .map((row) => structuredClone(row));
  }

  async remove(key: PushKey): Promise<void> {
    this.#rows.delete(nameOf(key));
  }

  async active(): Promise<readonly PushKey[]> {
    return [...this.#rows.values()].filter(({ state }) => state === "active").map(toKey);
  }

  async due(now: number, limit: number): Promise<readonly PushKey[]> {
    const due: PushRow[] = [];
    for (const row of this.#rows.values()) {
      if (row.state !== "active" || row.nextAttemptAt > now || isLeased(row, now)) continue;
      const task = await this.#tasks.load(row.taskId);
      if (task !== undefined && row.deliveredSeq < task.lastSeq) due.push(row);
    }
    return due
      .sort((a, b) => a.nextAttemptAt - b.nextAttemptAt)
      .slice(0, limit)
      .map(toKey);
  }

  async claim(key: PushKey, lease: PushLease, now: number): Promise<PushRow | undefined> {
    const row = this.#rows.get(nameOf(key));
    if (row?.state !== "active" || row.nextAttemptAt > now) return undefined;
    if (isLeased(row, now) && row.lease?.holder !== lease.holder) return undefined;
    return this.#keep({ ...row, lease });
  }

  async renew(key: PushKey, lease: PushLease): Promise<boolean> {
    const row = this.#held(key, lease.holder);
    if (row !== undefined) this.#keep({ ...row, lease });
    return row !== undefined;
  }

  async advance(key: PushKey, lease: PushLease, seq: number, last: boolean): Promise<PushRow | undefined> {
    const row = this.#held(key, lease.holder);
    if (row === undefined) return undefined;
    const { failingSince: _since, failure: _failure, lease: _lease, ...rest } = row;
    const state = last ? "delivered" : "active";
    const advanced = { ...rest, state, deliveredSeq: seq, attempts: 0, nextAttemptAt: 0 } as const;
    return this.#keep(last ? advanced : { ...advanced, lease });
  }

  async fail(key: PushKey, holder: string, { givenUp, ...failed }: PushFailure): Promise<boolean> {
    const row = this.#held(key, holder);
    if (row === undefined) return false;
    const { lease: _, ...rest } = row;
    this.#keep({ ...rest, ...failed, state: givenUp ? "given-up" : "active" });
    return true;
  }

  async counts(since: number): Promise<PushCounts> {
    const counts = { waiting: 0, failing: 0, givenUp: 0 };
    for (const row of this.#rows.values()) {
      if (row.state === "given-up" && row.nextAttemptAt >= since) counts.givenUp++;
      const task = row.state === "active" ? await this.#tasks.load(row.taskId) : undefined;
      if (task === undefined || row.deliveredSeq >= task.lastSeq) continue;
      counts.waiting++;
      if (row.attempts > 0) counts.failing++;
    }
    return counts;
  }

  async free(holder?: string): Promise<void> {
    for (const row of [...this.#rows.values()]) {
      const { lease, ...rest } = row;
      if (lease !== undefined && (holder === undefined || lease.holder === holder)) this.#keep(rest);
    }
  }

  #held(key: PushKey, holder: string): PushRow | undefined {
    const row = this.#rows.get(nameOf(key));
    return row?.lease?.holder === holder ? row : undefined;
  }

  #keep(row: PushRow): PushRow {
    this.#rows.set(nameOf(row), row);
    return structuredClone(row);
  }
}

function nameOf({ taskId, configId }: PushKey): string {
  return JSON.stringify([taskId, configId]);
}

function toKey({ taskId, configId }: PushKey): PushKey {
  return { taskId, configId };
}

function isLeased({ lease }: PushRow, now: number): boolean {
  return lease !== undefined && lease.until > now;
}
