import { DatabaseSync } from "node:sqlite";
import { BackendSqlite } from "openworkflow/sqlite";
import { retryWhenBusy, withBusyRetry } from "./busy-retry.ts";
import type { EngineStore } from "./engine-store.ts";

const NAMESPACE = "default";
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

/** Opens the engine's database, and makes its tables if they are not there. The file must be no other store's. */
export async function openSqliteEngineStore(path: string): Promise<EngineStore> {
  const connected = await retryWhenBusy(isBusy, () =>
    BackendSqlite.connect(path, { namespaceId: NAMESPACE }),
  );
  const backend = withBusyRetry(connected, isBusy);
  // A connection of our own, since the backend's is private. It only reads, which in WAL mode nobody waits for.
  const reader = new DatabaseSync(path, { readOnly: true });
  const byKey = reader.prepare(
    `SELECT "id" FROM "workflow_runs"
     WHERE "namespace_id" = ? AND "workflow_name" = ? AND "idempotency_key" = ?
     ORDER BY "created_at", "id" LIMIT 1`,
  );
  return {
    backend,
    findRunId: (workflowName, idempotencyKey) =>
      retryWhenBusy(isBusy, () => {
        const id = byKey.get(NAMESPACE, workflowName, idempotencyKey)?.["id"];
        return typeof id === "string" ? id : undefined;
      }),
    async close() {
      reader.close();
      await backend.stop();
    },
  };
}

function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error && typeof error.errcode === "number") {
    const primary = error.errcode & 0xff;
    return primary === SQLITE_BUSY || primary === SQLITE_LOCKED;
  }
  return error.cause !== undefined && isBusy(error.cause);
}
