import { type Kysely, sql } from "kysely";
import { type DatabasePlace, PostgresUnsupportedError } from "./database-errors.ts";

const OLDEST = 14;

/** Refuses a server that is too old, and a database that cannot hold every character. */
export async function assertUsable(db: Kysely<unknown>, place: DatabasePlace): Promise<void> {
  const { rows } = await sql<{ version: string; number: string; encoding: string }>`select
    current_setting('server_version') as version,
    current_setting('server_version_num') as number,
    current_setting('server_encoding') as encoding`.execute(db);
  const [server] = rows;
  if (server === undefined) return;
  if (Number(server.number) < OLDEST * 10_000) {
    throw new PostgresUnsupportedError(
      place,
      `the server is PostgreSQL ${server.version}; ${OLDEST} is the oldest that is supported`,
      `Upgrade the server to PostgreSQL ${OLDEST} or newer.`,
    );
  }
  if (server.encoding !== "UTF8") {
    throw new PostgresUnsupportedError(
      place,
      `the database's encoding is ${server.encoding}, not UTF8`,
      "Make a database with: createdb --encoding=UTF8 --template=template0 NAME, and name it in DATABASE_URL.",
    );
  }
}
