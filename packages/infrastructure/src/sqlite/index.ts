export { StoreClosedError } from "../schema/store-closed-error.ts";
export { checkRequestOf, failureOf } from "./check-request.ts";
export {
  DatabaseBusyError,
  DatabaseCorruptError,
  DatabaseError,
  DatabaseForeignError,
  DatabaseFullError,
  DatabaseHandlesError,
  type DatabaseReason,
  DatabaseTooNewError,
  DatabaseUnwritableError,
} from "./database-errors.ts";
export { assertWhole } from "./inspect-file.ts";
export {
  openSqliteDatabase,
  type SqliteDatabase,
  type SqliteDatabaseOptions,
} from "./open-sqlite-database.ts";
export { checkProjections, type ProjectionMismatch, rebuildProjections } from "./projections.ts";
export { setAside, stampFor } from "./salvage/put-in-place.ts";
export type { Repair } from "./salvage/repair.ts";
export { SqliteConnection } from "./sqlite-connection.ts";
export { SqliteTaskStore } from "./sqlite-task-store.ts";
