import { Kysely, PostgresDialect, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { Pool } from "pg";
import { assertUsable } from "./assert-usable.ts";
import { CCollation } from "./c-collation.ts";
import { PostgresForeignError, PostgresTooNewError } from "./database-errors.ts";
import { toStorageError } from "./failure.ts";
import { deadlineIn, persist } from "./patience.ts";
import type { PostgresConnection } from "./postgres-connection.ts";

/** Any number that nobody else uses: who holds it migrates. */
const LOCK = 0x63_61_73_74;

/**
 * Waits for the database, refuses one that cannot be used, and brings its schema to the newest version: all
 * migrations that are missing, or none if one fails. Of several processes that come at once, one migrates, and the
 * others find it done.
 */
export async function migrate(
  connection: PostgresConnection,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  // One connection: the lock, which is its, holds for all that follows.
  const pool = new Pool({ ...connection.migrationConfig(), max: 1 });
  pool.on("error", () => undefined); // what is done on it fails by itself
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), plugins: [new CCollation()] });
  try {
    // The first that is asked of the database: it may be starting, too.
    await persist(() => assertUsable(db, connection.place), {
      deadline: deadlineIn(connection.timeoutMs),
      place: connection.place,
    });
    await sql`select pg_advisory_lock(${LOCK})`.execute(db);
    const applied = await appliedTo(db, connection.place);
    if (applied.some((name) => !Object.hasOwn(migrations, name))) {
      throw new PostgresTooNewError(
        connection.place,
        `the database has version ${applied.length}, this program knows version ${Object.keys(migrations).length}`,
      );
    }
    if (applied.length === Object.keys(migrations).length) return;
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
  } catch (error) {
    throw toStorageError(error, connection.place);
  } finally {
    await db.destroy();
  }
}

/** Throws if the tables are another program's. */
async function appliedTo(db: Kysely<unknown>, place: string): Promise<readonly string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = current_schema()`.execute(
    db,
  );
  const names = new Set(tables.map(({ name }) => name));
  if (!names.has("kysely_migration")) {
    if (names.has("tasks") || names.has("sessions"))
      throw new PostgresForeignError(place, "the database holds tables of another program");
    return [];
  }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
