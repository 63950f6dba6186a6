import { SqliteAdapter, SqliteDialect } from "kysely";

/**
 * Kysely's dialect says that SQLite has no transactional DDL, so its Migrator would leave half a schema behind when
 * a migration fails. SQLite has it (https://sqlite.org/lang_transaction.html).
 */
export class TransactionalSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter();
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
