import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Sessions have more states than open and closed, a document, a turn that is somebody's, and records of elsewhere. */
export const sessionStates: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable("sessions").addColumn("document", "text").execute();
    await db.schema.alterTable("sessions").addColumn("turn_task", "text").execute();
    await db.schema.alterTable("sessions").addColumn("record", "text").execute();
    await sql`update sessions set status = 'active' where status = 'open'`.execute(db);
    await db.schema
      .createIndex("sessions_in_use")
      .on("sessions")
      .columns(["principal", "status", "updated_at"])
      .execute();
    await db.schema
      .createIndex("sessions_closing")
      .on("sessions")
      .column("session_id")
      .where(sql<boolean>`status = 'closing'`)
      .execute();
  },
};
