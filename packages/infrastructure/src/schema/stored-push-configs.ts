import type {
  PushConfig,
  PushCounts,
  PushFailure,
  PushKey,
  PushLease,
  PushRow,
  PushState,
  PushStore,
} from "@cleveragents/application";
import type { UpdateObject } from "kysely";
import type { StoreQueries } from "./store-queries.ts";
import type { PushConfigsTable, Tables } from "./tables.ts";

type Update = UpdateObject<Tables, "push_configs">;
const FREE = { lease_holder: null, lease_until: null };

/** Push configurations in a database; each change is one statement, and so a transaction of its own. */
export class StoredPushConfigs implements PushStore {
  readonly #database: StoreQueries;

  constructor(database: StoreQueries) {
    this.#database = database;
  }

  async put(config: PushConfig, { seq, state }: { readonly seq: number; readonly state: PushState }) {
    const asked = {
      url: config.url,
      token: config.token ?? null,
      scheme: config.authentication?.scheme ?? null,
      credentials: config.authentication?.credentials ?? null,
      version: config.version,
    };
    const fresh = { attempts: 0, failing_since: null, next_attempt_at: 0, failure: null, ...FREE };
    const row: PushConfigsTable = {
      task_id: config.taskId,
      config_id: config.configId,
      principal: config.principal,
      created_at: config.createdAt,
      delivered_seq: seq,
      state,
      ...asked,
      ...fresh,
    };
    const rows = await this.#database.rows(
      this.#database.queries
        .insertInto("push_configs")
        .values(row)
        .onConflict((oc) =>
          oc.columns(["task_id", "config_id"]).doUpdateSet((eb) => ({
            ...asked,
            ...fresh,
            state: eb
              .case()
              .when("push_configs.state", "=", "delivered")
              .then<PushState>("delivered")
              .else<PushState>("active")
              .end(),
          })),
        )
        .returningAll(),
    );
    return toRow(rows[0] as PushConfigsTable); // an upsert answers its row
  }

  async find(key: PushKey): Promise<PushRow | undefined> {
    const rows = await this.#database.rows(
      this.#database.queries
        .selectFrom("push_configs")
        .selectAll()
        .where("task_id", "=", key.taskId)
        .where("config_id", "=", key.configId),
    );
    return rows[0] && toRow(rows[0]);
  }

  async ofTask(taskId: string): Promise<readonly PushRow[]> {
    const rows = await this.#database.rows(
      this.#database.queries
        .selectFrom("push_configs")
        .selectAll()
        .where("task_id", "=", taskId)
        .orderBy("created_at")
        .orderBy("config_id"),
    );
    return rows.map(toRow);
  }

  async remove(key: PushKey): Promise<void> {
    await this.#database.rows(
      this.#database.queries
        .deleteFrom("push_configs")
        .where("task_id", "=", key.taskId)
        .where("config_id", "=", key.configId),
    );
  }

  async active(): Promise<readonly PushKey[]> {
    const rows = await this.#database.rows(
      this.#database.queries
        .selectFrom("push_configs")
        .select(["task_id", "config_id"])
        .where("state", "=", "active"),
    );
    return rows.map(toKey);
  }

  async due(now: number, limit: number): Promise<readonly PushKey[]> {
    const rows = await this.#database.rows(
      this.#owed()
        .select(["p.task_id", "p.config_id"])
        .where("p.next_attempt_at", "<=", now)
        .where((eb) => eb.or([eb("p.lease_until", "is", null), eb("p.lease_until", "<=", now)]))
        .orderBy("p.next_attempt_at")
        .limit(limit),
    );
    return rows.map(toKey);
  }

  async claim(key: PushKey, { holder, until }: PushLease, now: number): Promise<PushRow | undefined> {
    const rows = await this.#database.rows(
      this.#of(key)
        .set({ lease_holder: holder, lease_until: until })
        .where("state", "=", "active")
        .where("next_attempt_at", "<=", now)
        .where((eb) =>
          eb.or([
            eb("lease_until", "is", null),
            eb("lease_until", "<=", now),
            eb("lease_holder", "=", holder),
          ]),
        )
        .returningAll(),
    );
    return rows[0] && toRow(rows[0]);
  }

  async renew(key: PushKey, { holder, until }: PushLease): Promise<boolean> {
    return (await this.#held(key, holder, { lease_until: until })) !== undefined;
  }

  async advance(
    key: PushKey,
    { holder, until }: PushLease,
    seq: number,
    last: boolean,
  ): Promise<PushRow | undefined> {
    const lease = last ? FREE : { lease_until: until };
    return this.#held(key, holder, {
      delivered_seq: seq,
      attempts: 0,
      failing_since: null,
      next_attempt_at: 0,
      failure: null,
      state: last ? "delivered" : "active",
      ...lease,
    });
  }

  async fail(key: PushKey, holder: string, failure: PushFailure): Promise<boolean> {
    const failed = await this.#held(key, holder, {
      attempts: failure.attempts,
      failing_since: failure.failingSince,
      next_attempt_at: failure.nextAttemptAt,
      failure: failure.failure,
      state: failure.givenUp ? "given-up" : "active",
      ...FREE,
    });
    return failed !== undefined;
  }

  async counts(since: number): Promise<PushCounts> {
    const { queries } = this.#database;
    const [owed, failing, givenUp] = await Promise.all([
      this.#database.rows(this.#owed().select((eb) => eb.fn.countAll().as("n"))),
      this.#database.rows(
        this.#owed()
          .where("p.attempts", ">", 0)
          .select((eb) => eb.fn.countAll().as("n")),
      ),
      this.#database.rows(
        queries
          .selectFrom("push_configs")
          .where("state", "=", "given-up")
          .where("next_attempt_at", ">=", since)
          .select((eb) => eb.fn.countAll().as("n")),
      ),
    ]);
    return { waiting: numberIn(owed), failing: numberIn(failing), givenUp: numberIn(givenUp) };
  }

  async free(holder?: string): Promise<void> {
    const leased = this.#database.queries
      .updateTable("push_configs")
      .set(FREE)
      .where("lease_holder", "is not", null);
    await this.#database.rows(holder === undefined ? leased : leased.where("lease_holder", "=", holder));
  }

  #owed() {
    return this.#database.queries
      .selectFrom("push_configs as p")
      .innerJoin("tasks as t", "t.task_id", "p.task_id")
      .where("p.state", "=", "active")
      .whereRef("p.delivered_seq", "<", "t.last_seq");
  }

  /** Written by whoever has the lease, or not at all. */
  async #held(key: PushKey, holder: string, update: Update): Promise<PushRow | undefined> {
    const rows = await this.#database.rows(
      this.#of(key).set(update).where("lease_holder", "=", holder).returningAll(),
    );
    return rows[0] && toRow(rows[0]);
  }

  #of({ taskId, configId }: PushKey) {
    return this.#database.queries
      .updateTable("push_configs")
      .where("task_id", "=", taskId)
      .where("config_id", "=", configId);
  }
}

function numberIn(rows: readonly { readonly n: number | string | bigint }[]): number {
  return Number(rows[0]?.n ?? 0);
}

function toKey(row: Pick<PushConfigsTable, "task_id" | "config_id">): PushKey {
  return { taskId: row.task_id, configId: row.config_id };
}

function toRow(row: PushConfigsTable): PushRow {
  const { scheme, credentials } = row;
  return {
    ...toKey(row),
    principal: row.principal,
    url: row.url,
    version: row.version,
    createdAt: Number(row.created_at),
    state: row.state,
    deliveredSeq: Number(row.delivered_seq),
    attempts: Number(row.attempts),
    nextAttemptAt: Number(row.next_attempt_at),
    ...(row.token === null ? {} : { token: row.token }),
    ...(scheme === null
      ? {}
      : { authentication: credentials === null ? { scheme } : { scheme, credentials } }),
    ...(row.failing_since === null ? {} : { failingSince: Number(row.failing_since) }),
    ...(row.failure === null ? {} : { failure: row.failure }),
    ...(row.lease_holder === null
      ? {}
      : { lease: { holder: row.lease_holder, until: Number(row.lease_until) } }),
  };
}
