import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock, Command, Logger, TaskStore } from "@cleveragents/application";
import type { LoggedEvent, TaskEvent } from "@cleveragents/domain";
import { openSqliteDatabase, type SqliteDatabaseOptions } from "../src/sqlite/index.ts";

export const clock: Clock = { now: () => 1_800_000_000_000 };
export const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** A directory on the disk that is gone when the test is over. */
export function temporaryDirectory() {
  const directory = mkdtempSync(join(tmpdir(), "cleveragents-sqlite-"));
  return {
    directory,
    path: join(directory, "store.db"),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

export function open(path: string, migrations?: SqliteDatabaseOptions["migrations"]) {
  return openSqliteDatabase({ path, clock, logger, ...(migrations && { migrations }) });
}

export function plan(taskId: string, more: Partial<Command> = {}): Command {
  return { taskId, create: { contextId: "context", principal: "anna", kind: "plan" }, ...more };
}

export function chunk(text: string, append = true): TaskEvent {
  return {
    type: "artifact",
    artifact: { artifactId: "x", parts: [{ kind: "text", text }] },
    append,
    lastChunk: false,
  };
}

export async function logOf(tasks: TaskStore, taskId: string): Promise<readonly LoggedEvent[]> {
  const log: LoggedEvent[] = [];
  for (;;) {
    const page = await tasks.events(taskId, log.at(-1)?.seq ?? 0);
    if (page.length === 0) return log;
    log.push(...page);
  }
}
