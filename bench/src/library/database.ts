import { SystemClock } from "@cleveragents/infrastructure/clock";
import { openSqliteDatabase, type SqliteDatabase } from "@cleveragents/infrastructure/sqlite";
import { silentLogger } from "./silent-logger.ts";

export interface OpenDatabase extends AsyncDisposable {
  readonly tasks: SqliteDatabase["tasks"];
}

/** The product's stores in a file of their own. */
export async function openDatabase(path: string): Promise<OpenDatabase> {
  const database = await openSqliteDatabase({ path, clock: new SystemClock(), logger: silentLogger });
  return { tasks: database.tasks, [Symbol.asyncDispose]: () => database.close() };
}

export const NEW_TASK = { contextId: "context", principal: "local", kind: "message" } as const;
