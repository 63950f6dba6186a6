export {
  type PostgresService,
  type StartPostgresOptions,
  startPostgres,
  type TestDatabase,
} from "./start-postgres.ts";
