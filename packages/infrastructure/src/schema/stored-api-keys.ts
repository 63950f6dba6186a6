import type { ApiKey, ApiKeyStore } from "@cleveragents/application";
import type { StoreQueries } from "./store-queries.ts";
import type { ApiKeysTable } from "./tables.ts";

/** API keys in a database; each change is a transaction of its own. */
export class StoredApiKeys implements ApiKeyStore {
  readonly #database: StoreQueries;

  constructor(database: StoreQueries) {
    this.#database = database;
  }

  async add(key: ApiKey): Promise<void> {
    // Said again after a lost answer, it is there already: ids are random.
    await this.#database.change(
      this.#database.queries
        .insertInto("api_keys")
        .values(toColumns(key))
        .onConflict((oc) => oc.column("key_id").doNothing()),
    );
  }

  async find(keyId: string): Promise<ApiKey | undefined> {
    const rows = await this.#database.rows(
      this.#database.queries.selectFrom("api_keys").selectAll().where("key_id", "=", keyId),
    );
    return rows[0] && toKey(rows[0]);
  }

  async list(): Promise<readonly ApiKey[]> {
    const rows = await this.#database.rows(
      this.#database.queries
        .selectFrom("api_keys")
        .selectAll()
        .orderBy("created_at", "desc")
        .orderBy("key_id", "desc"),
    );
    return rows.map(toKey);
  }

  async revoke(keyId: string, at: number): Promise<ApiKey | undefined> {
    await this.#database.change(
      this.#database.queries
        .updateTable("api_keys")
        .set({ revoked_at: at })
        .where("key_id", "=", keyId)
        .where("revoked_at", "is", null),
    );
    return this.find(keyId);
  }
}

function toColumns(key: ApiKey): ApiKeysTable {
  return {
    key_id: key.keyId,
    name: key.name,
    principal: key.principal,
    scopes: JSON.stringify(key.scopes),
    tenants: JSON.stringify(key.tenants),
    digest: key.digest,
    created_at: key.createdAt,
    expires_at: key.expiresAt ?? null,
    revoked_at: key.revokedAt ?? null,
  };
}

function toKey(row: ApiKeysTable): ApiKey {
  return {
    keyId: row.key_id,
    name: row.name,
    principal: row.principal,
    scopes: JSON.parse(row.scopes) as ApiKey["scopes"],
    // Null in what a version before has written.
    tenants: JSON.parse(row.tenants ?? "[]") as ApiKey["tenants"],
    digest: row.digest,
    createdAt: Number(row.created_at),
    ...(row.expires_at === null ? {} : { expiresAt: Number(row.expires_at) }),
    ...(row.revoked_at === null ? {} : { revokedAt: Number(row.revoked_at) }),
  };
}
