import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Keys of callers; of a secret, its SHA-256 alone. */
export const apiKeys: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable("api_keys")
      .addColumn("key_id", "text", (c) => c.primaryKey())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("principal", "text", (c) => c.notNull())
      .addColumn("scopes", "text", (c) => c.notNull())
      .addColumn("digest", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("expires_at", "bigint")
      .addColumn("revoked_at", "bigint")
      .execute();
  },
};
