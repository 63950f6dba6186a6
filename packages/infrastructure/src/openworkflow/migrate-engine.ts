import { BackendPostgres } from "openworkflow/postgres";
import { connectPostgres, ENGINE_SCHEMA, type PostgresPlace } from "./connect-postgres.ts";

/** Two processes that make the tables at the same time would trip over each other. Any number that nobody else uses. */
const MIGRATION_LOCK = 0x63_61_65_6e;

/**
 * Makes the engine's schema and its tables, or brings them to the newest version. The schema is made by nobody else:
 * OpenWorkflow prints what the server says of one that is there already.
 */
export async function migrateEngine(place: PostgresPlace): Promise<void> {
  const guard = connectPostgres(place, 1);
  try {
    await guard`SELECT pg_advisory_lock(${MIGRATION_LOCK})`;
    const migrated = await BackendPostgres.connect(place.url, {
      schema: ENGINE_SCHEMA,
      runMigrations: true,
    });
    await migrated.stop();
  } finally {
    // Its end frees the lock.
    await guard.end({ timeout: 2 });
  }
}
