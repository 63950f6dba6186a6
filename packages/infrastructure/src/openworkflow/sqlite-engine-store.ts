import { DatabaseSync } from "node:sqlite";
import type { Logger } from "@cleveragents/application";
import { BackendSqlite } from "openworkflow/sqlite";
import { DatabaseCorruptError, failureOf } from "../sqlite/index.ts";
import { attempting, retryWhenBusy } from "./busy-retry.ts";
import type { EngineStore } from "./engine-store.ts";
import { setAsideDamaged } from "./set-aside-damaged.ts";

const NAMESPACE = "default";
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

export interface SqliteEngineStoreOptions {
  readonly path: string;
  readonly logger: Logger;
  /** Told when a statement meets damage; the next start looks through the whole file. */
  readonly onDamaged?: ((error: DatabaseCorruptError) => void) | undefined;
}

/**
 * Opens the engine's database, and makes its tables if they are not there; one that is damaged is kept aside. The file
 * must be no other store's.
 */
export async function openSqliteEngineStore({
  path,
  logger,
  onDamaged,
}: SqliteEngineStoreOptions): Promise<EngineStore> {
  setAsideDamaged(path, logger);
  /** Waits for its turn, and tells of damage. */
  const attempt = async <T>(call: () => T | Promise<T>): Promise<T> => {
    try {
      return await retryWhenBusy(isBusy, call);
    } catch (error) {
      const failure = failureOf(causeWithCode(error), path);
      if (failure instanceof DatabaseCorruptError) onDamaged?.(failure);
      throw error;
    }
  };
  const connected = await retryWhenBusy(isBusy, () =>
    BackendSqlite.connect(path, { namespaceId: NAMESPACE }),
  );
  const backend = attempting(connected, attempt);
  // A connection of our own, since the backend's is private. It only reads, which in WAL mode nobody waits for.
  const reader = new DatabaseSync(path, { readOnly: true });
  const byKey = reader.prepare(
    `SELECT "id" FROM "workflow_runs"
     WHERE "namespace_id" = ? AND "workflow_name" = ? AND "idempotency_key" = ?
     ORDER BY "created_at", "id" LIMIT 1`,
  );
  const writer = new DatabaseSync(path);
  // OpenWorkflow looks for runs past their deadline at every claim, and would look through all that sleep.
  await retryWhenBusy(isBusy, () =>
    writer.exec(
      `CREATE INDEX IF NOT EXISTS "cleveragents_deadlines" ON "workflow_runs" ("namespace_id", "deadline_at")
       WHERE "deadline_at" IS NOT NULL`,
    ),
  );
  const endedRuns = `SELECT "id" FROM "workflow_runs"
     WHERE "namespace_id" = '${NAMESPACE}' AND "status" IN ('completed', 'succeeded', 'failed', 'canceled')
       AND "created_at" < ? AND "finished_at" < ?
     ORDER BY "created_at" LIMIT ?`;
  // Steps go with their run; signals have no tie to it.
  const removeSignals = writer.prepare(
    `DELETE FROM "workflow_signals" WHERE "namespace_id" = '${NAMESPACE}' AND "workflow_run_id" IN (${endedRuns})`,
  );
  const removeRuns = writer.prepare(
    `DELETE FROM "workflow_runs" WHERE "namespace_id" = '${NAMESPACE}' AND "id" IN (${endedRuns})`,
  );
  const removeEnded = (before: string, limit: number): number => {
    writer.exec("BEGIN IMMEDIATE");
    try {
      removeSignals.run(before, before, limit);
      const { changes } = removeRuns.run(before, before, limit);
      writer.exec("COMMIT");
      return Number(changes);
    } catch (error) {
      writer.exec("ROLLBACK");
      throw error;
    }
  };
  const wake = writer.prepare(
    `UPDATE "workflow_runs" SET "available_at" = ?
     WHERE "namespace_id" = '${NAMESPACE}' AND "status" IN ('pending', 'running', 'sleeping')
       AND "worker_id" IS NULL AND "available_at" > ?`,
  );
  return {
    backend,
    findRunId: (workflowName, idempotencyKey) =>
      attempt(() => {
        const id = byKey.get(NAMESPACE, workflowName, idempotencyKey)?.["id"];
        return typeof id === "string" ? id : undefined;
      }),
    removeEnded: (before, limit) => attempt(() => removeEnded(before.toISOString(), limit)),
    async wakeSleepers() {
      const now = new Date().toISOString();
      await attempt(() => wake.run(now, now));
    },
    async close() {
      reader.close();
      writer.close();
      await backend.stop();
    },
  };
}

function isBusy(error: unknown): boolean {
  const { errcode } = (causeWithCode(error) ?? {}) as { readonly errcode?: number };
  const primary = errcode === undefined ? undefined : errcode & 0xff;
  return primary === SQLITE_BUSY || primary === SQLITE_LOCKED;
}

/** SQLite's own error, which OpenWorkflow may have wrapped. */
function causeWithCode(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error;
  return causeWithCode(error.cause);
}
