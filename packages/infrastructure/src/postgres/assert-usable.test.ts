import { type DatabaseConnection, DummyDriver, Kysely, PostgresDialect } from "kysely";
import { expect, test } from "vitest";
import { assertUsable } from "./assert-usable.ts";

/** A server that answers every question with this row. */
function server(row: object): Kysely<unknown> {
  class Answering extends DummyDriver {
    override async acquireConnection(): Promise<DatabaseConnection> {
      return {
        executeQuery: async () => ({ rows: [row] as never[] }),
        async *streamQuery() {},
      };
    }
  }
  class Dialect extends PostgresDialect {
    override createDriver() {
      return new Answering();
    }
  }
  return new Kysely({ dialect: new Dialect({ pool: async () => Promise.reject(new Error("no server")) }) });
}

test("a server of the oldest version that is supported is taken, an older one is refused with what to do", async () => {
  const encoding = "UTF8";
  await assertUsable(server({ version: "14.0", number: "140000", encoding }), "h/d");
  const old = assertUsable(server({ version: "13.22", number: "130022", encoding }), "h/d");
  await expect(old).rejects.toMatchObject({
    reason: "DATABASE_UNSUPPORTED",
    hint: expect.stringContaining("14"),
  });
  await expect(old).rejects.toThrow(
    "h/d: the server is PostgreSQL 13.22; 14 is the oldest that is supported",
  );
});
