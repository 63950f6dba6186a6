import { type Migration, Migrator } from "kysely/migration";
import type { SqliteConnection } from "./sqlite-connection.ts";

/** Brings the schema to its newest version: all migrations that are missing, or none if one fails. */
export async function migrate(
  connection: SqliteConnection,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const migrator = new Migrator({
    db: connection.queries,
    provider: { getMigrations: async () => migrations },
  });
  // A migration that rebuilds a table must not delete what refers to it (https://sqlite.org/lang_altertable.html).
  connection.exec("pragma foreign_keys = off");
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  connection.exec("pragma foreign_keys = on");
}
