export { StoreClosedError } from "../schema/store-closed-error.ts";
export {
  DatabaseBusyError,
  DatabaseCorruptError,
  DatabaseError,
  DatabaseFullError,
  type DatabaseReason,
  DatabaseTooNewError,
  DatabaseUnwritableError,
} from "./database-errors.ts";
export {
  openSqliteDatabase,
  type SqliteDatabase,
  type SqliteDatabaseOptions,
} from "./open-sqlite-database.ts";
export { SqliteChangesetStore } from "./sqlite-changeset-store.ts";
export { SqliteConnection } from "./sqlite-connection.ts";
export { SqliteRegistryStore } from "./sqlite-registry-store.ts";
export { SqliteSessionStore } from "./sqlite-session-store.ts";
export { SqliteTaskStore } from "./sqlite-task-store.ts";
