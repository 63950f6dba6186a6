import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Which tenants the callers with a key may name; none where it is null, as with every key before. */
export const keyTenants: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable("api_keys").addColumn("tenants", "text").execute();
  },
};
