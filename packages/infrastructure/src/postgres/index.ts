export { StoreClosedError } from "../schema/store-closed-error.ts";
export {
  PostgresError,
  PostgresExhaustedError,
  PostgresForeignError,
  PostgresRefusedError,
  PostgresTooNewError,
  PostgresUnavailableError,
  PostgresUnsupportedError,
} from "./database-errors.ts";
export {
  openPostgresDatabase,
  type PostgresDatabase,
  type PostgresDatabaseOptions,
} from "./open-postgres-database.ts";
export { PostgresTaskStore } from "./postgres-task-store.ts";
