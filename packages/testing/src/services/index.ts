export { FakeEngine } from "./fake-engine.ts";
export {
  type PostgresService,
  type StartPostgresOptions,
  startPostgres,
  type TestDatabase,
} from "./start-postgres.ts";
